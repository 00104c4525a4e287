import type { Member, Members, ProxyConfig } from '@talpa/contracts';
import { roleTexts } from '@talpa/contracts/role-texts';
import { includesRole, roleOf } from '@talpa/contracts/roles';
import { useSharedServer } from '@talpa/panel-features/proxies';
import { proxyMembersQuery, useApiMutation, useLanguage } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { Button, ItemsPanel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { EditDialog } from './edit-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { type InvitationLink, LinkDialog } from './link-dialog.tsx';
import { MemberRow, useMemberName } from './member-row.tsx';
import { useMemberTexts } from './texts.ts';
import { TokenKnown } from './token-known.tsx';

/** The members of a proxy, and what may be done with them. */
export function MembersPanel({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useMemberTexts();
  const language = useLanguage();
  const nameOf = useMemberName();
  const query = useQuery(proxyMembersQuery(proxy.id));
  const [shown, setShown] = useState<'invite' | 'edit' | 'link' | null>(null);
  // Kept while their dialogs close, so that they do not go blank.
  const [selected, setSelected] = useState<Member | null>(null);
  const [link, setLink] = useState<InvitationLink | null>(null);
  const { data, refetch } = query;
  const mayManage = includesRole(roleOf(proxy), 'manage');
  const close = () => setShown(null);
  // The live stream says so, too, if it is open.
  const changed = () => void refetch();
  const currentOf = (one: Member | null) => data?.members.find(({ id }) => id === one?.id);
  const current = currentOf(selected);
  const removal = useConfirm(
    useApiMutation('DELETE /api/tunnel-configs/:id/members/:memberId'),
    (member: Member) => {
      const name = nameOf(member);
      const what = (currentOf(member) ?? member).joinedAt ? 'remove' : 'withdraw';
      return {
        title: t(`removal.${what}.title`),
        text: t(`removal.${what}.text`, { name }),
        confirm: t(`removal.${what}`),
        input: { id: proxy.id, memberId: member.id },
        done: { title: t(`removal.${what}.done`), text: name },
        failed: t('removal.failed'),
        onDone: changed,
      };
    },
  );
  const { isShared } = useSharedServer(mayManage ? proxy : null);
  const about = { proxyId: proxy.id, isShared, onClose: close };
  return (
    <ItemsPanel
      title={t('title')}
      extra={
        mayManage && (
          <Button
            icon={<UserPlus size={15} aria-hidden />}
            disabled={!data || data.members.length >= data.limit}
            onClick={() => setShown('invite')}
          >
            {t('invite')}
          </Button>
        )
      }
      text={
        <>
          {t(proxy.membership ? 'text.member' : 'text')} {mayManage && data && <Allowed {...data} />}{' '}
          {includesRole(roleOf(proxy), 'operate') &&
            !proxy.mayReadToken &&
            t('text.noToken', { role: roleTexts.operate[language] })}
        </>
      }
      query={{ ...query, data: data?.members }}
      failed={t('failed')}
      notice={data && <TokenKnown proxy={proxy} members={data.members} />}
      empty={t(mayManage ? 'empty' : 'empty.member')}
      row={(member) => (
        <MemberRow
          key={member.id}
          member={member}
          manage={
            mayManage
              ? {
                  onEdit: () => {
                    setSelected(member);
                    setShown('edit');
                  },
                  onRemove: () => removal.ask(member),
                }
              : undefined
          }
        />
      )}
    >
      <InviteDialog
        {...about}
        open={shown === 'invite'}
        onInvited={(invited) => {
          changed();
          if (!invited.link) return;
          setLink(invited.link);
          setShown('link');
        }}
      />
      {link && <LinkDialog open={shown === 'link'} link={link} onClose={close} />}
      {selected && (
        <EditDialog
          {...about}
          open={shown === 'edit'}
          member={current ?? selected}
          name={nameOf(selected)}
          isGone={data !== undefined && !current}
          refetch={refetch}
        />
      )}
      {removal.dialog}
    </ItemsPanel>
  );
}

/** How many more there may be. */
function Allowed({ limit, members }: Members) {
  const t = useMemberTexts();
  const used = members.length;
  if (limit === 0) return t('limit.none');
  return used >= limit ? t('limit.full', { limit }) : t('text.used', { used, limit });
}
