import type { Member } from '@talpa/contracts';
import { roleTexts } from '@talpa/contracts/role-texts';
import { formatTime, useLanguage, useUser } from '@talpa/panel-kit/core';
import { LongText } from '@talpa/panel-kit/table';
import { Button, type Fact, ItemRow, Tag } from '@talpa/panel-kit/ui';
import { Link2, Mail, UserRound } from 'lucide-react';
import { useMemberTexts } from './texts.ts';

/** How a member or an invitation is called. */
export function useMemberName(): (member: Member) => string {
  const t = useMemberTexts();
  return ({ userId, username, email }) =>
    username ?? email ?? (userId === null ? t('name.link') : t('name.unknown', { id: userId }));
}

/** A member, or an open invitation. */
export function MemberRow(props: {
  readonly member: Member;
  /** Left out for readers who may not change members. */
  readonly manage?: { readonly onEdit: () => void; readonly onRemove: () => void } | undefined;
}) {
  const t = useMemberTexts();
  const me = useUser().id;
  const name = useMemberName()(props.member);
  const { id, userId, username, joinedAt } = props.member;
  const Icon = joinedAt ? UserRound : username === null ? Link2 : Mail;
  const removal = joinedAt ? 'remove' : 'withdraw';
  return (
    <ItemRow
      id={id}
      icon={<Icon size={19} aria-hidden />}
      head={
        <>
          <strong>
            <LongText text={name} />
          </strong>
          {userId === me && <Tag>{t('you')}</Tag>}
          {!joinedAt && <Tag color="processing">{t('invited')}</Tag>}
        </>
      }
      facts={useFacts(props.member)}
      actions={
        props.manage && (
          <>
            <Button size="small" aria-label={t('edit.of', { name })} onClick={props.manage.onEdit}>
              {t('edit')}
            </Button>
            <Button
              size="small"
              aria-label={t(`removal.${removal}.of`, { name })}
              onClick={props.manage.onRemove}
            >
              {t(`removal.${removal}`)}
            </Button>
          </>
        )
      }
    />
  );
}

function useFacts({ role, memberUntil, joinedAt, invitedUntil }: Member): readonly Fact[] {
  const t = useMemberTexts();
  const language = useLanguage();
  const time = (moment: string | null) => moment && formatTime(moment, language);
  return [
    [t('role'), roleTexts[role][language]],
    [t('joined'), time(joinedAt)],
    [t('invitedUntil'), time(invitedUntil)],
    [t('until'), time(memberUntil) ?? t('until.never')],
  ];
}
