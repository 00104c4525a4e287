import type { Invitation } from '@talpa/contracts';
import { pageQuery, panelConfig, useApiMutation, useHeadOf } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { ListFrame, oneOf, useListAddress } from '@talpa/panel-kit/table';
import { Button, EmptyState, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Plus, Ticket } from 'lucide-react';
import { useState } from 'react';
import { pages } from '../pages.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { CreateInvitationDialog } from './create-invitation-dialog.tsx';
import { useInvitationName, useInvitationRows } from './invitation-rows.tsx';
import { InvitedUsersDialog } from './invited-users-dialog.tsx';

const states = ['open', 'ended'] as const;
const options = { sorts: ['createdAt'], filters: { state: oneOf(states) } } as const;

/** All invitations, and what an administrator does with them. */
export function InvitationsPage() {
  const t = useAdminTexts();
  const head = useHeadOf(pages.invitations);
  const address = useListAddress(options);
  const invitations = useQuery(pageQuery('GET /api/admin/invitations', address.input, { language: 'de' }));
  const nameOf = useInvitationName();
  const [creating, setCreating] = useState(false);
  const [isShowingUsers, setShowingUsers] = useState(false);
  // Kept while its dialog closes, so that the dialog does not go blank.
  const [selected, setSelected] = useState<Invitation | null>(null);
  const revocation = useConfirm(
    useApiMutation('DELETE /api/admin/invitations/:id'),
    (invitation: Invitation) => ({
      title: t('revoke.title'),
      text: t('revoke.text', { name: nameOf(invitation) }),
      confirm: t('revoke.confirm'),
      input: { id: invitation.id },
      done: { title: t('revoke.done') },
      failed: t('revoke.failed'),
    }),
  );
  const shape = useInvitationRows({
    revoke: revocation.ask,
    showUsers: (invitation) => {
      setSelected(invitation);
      setShowingUsers(true);
    },
  });
  return (
    <Page
      {...head}
      subtitle={t(`invitations.${panelConfig().registration}`)}
      actions={
        <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          {t('invitations.create')}
        </Button>
      }
    >
      <Panel label={t('invitations.list')} flush>
        <ListFrame
          query={invitations}
          address={address}
          nameOf={nameOf}
          search={t('invitations.search')}
          filters={[
            {
              name: 'state',
              label: t('invitations.column.state'),
              all: t('invitations.everyState'),
              options: states.map((value) => ({ value, label: t(`invitations.filter.${value}`) })),
            },
          ]}
          orders={(['createdAt', '-createdAt'] as const).map((value) => ({
            value,
            label: t(`invitations.order.${value}`),
          }))}
          loadFailed={t('invitations.loadFailed')}
          empty={
            <EmptyState
              icon={<Ticket size={22} aria-hidden />}
              title={t('invitations.empty')}
              text={t('invitations.empty.text')}
            />
          }
          shape={shape}
        />
      </Panel>
      <CreateInvitationDialog open={creating} onClose={() => setCreating(false)} />
      {revocation.dialog}
      {selected && (
        <InvitedUsersDialog
          open={isShowingUsers}
          invitation={selected}
          onClose={() => setShowingUsers(false)}
        />
      )}
    </Page>
  );
}
