import type { User } from '@talpa/contracts';
import { planOf, tiers } from '@talpa/contracts/plans';
import { adminUserQuery, pageQuery, useHeadOf, useUser } from '@talpa/panel-kit/core';
import { ListFrame, oneOf, useChanged, useListAddress, useSelection } from '@talpa/panel-kit/table';
import { Button, EmptyState, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Plus, Users } from 'lucide-react';
import { useState } from 'react';
import { BulkDelete } from '../bulk/bulk-delete.tsx';
import { pages } from '../pages.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { CreateUserDialog } from './create-user-dialog.tsx';
import { EditUserDialog } from './edit-user-dialog.tsx';
import { SuspendUserDialog, useLiftSuspension } from './suspend-user-dialog.tsx';
import { useDeleteUser } from './use-delete-user.ts';
import { useUserRows } from './user-rows.tsx';

const roles = ['admin', 'user'] as const;
const states = ['active', 'suspended'] as const;
const options = {
  sorts: ['createdAt', 'username'],
  filters: { tier: oneOf([...tiers, 'none']), role: oneOf(roles), state: oneOf(states) },
} as const;

/** All users and what an administrator does with them. */
export function UsersPage() {
  const t = useAdminTexts();
  const head = useHeadOf(pages.users);
  const me = useUser();
  const address = useListAddress(options);
  const users = useQuery(pageQuery('GET /api/admin/users', address.input, { language: 'de' }));
  const place = JSON.stringify(address.input);
  const changed = useChanged(users.data?.rows ?? [], place, adminUserQuery);
  const nameOf = ({ username }: { readonly username: string }) => username;
  // Oneself is the one administrator who is there for sure.
  const selection = useSelection(changed.rows, { page: place, nameOf, canSelect: ({ id }) => id !== me.id });
  const [creating, setCreating] = useState(false);
  const [dialog, setDialog] = useState<'edit' | 'suspend' | null>(null);
  // Kept while its dialog closes, so that the dialog does not go blank.
  const [selected, setSelected] = useState<User | null>(null);
  const close = () => setDialog(null);
  const deletion = useDeleteUser({ onStart: changed.forget });
  const lifting = useLiftSuspension();
  const shape = useUserRows({
    selected: deletion.asked ?? lifting.asked ?? (dialog && selected),
    onAction: (action, user) => {
      if (action === 'delete') return deletion.ask(user);
      if (action === 'lift') return lifting.ask(user);
      setSelected(user);
      setDialog(action);
    },
  });
  return (
    <Page
      {...head}
      actions={
        <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          {t('users.create')}
        </Button>
      }
    >
      <Panel label={t('users.list')} flush>
        <ListFrame
          query={users}
          address={address}
          changed={changed}
          nameOf={nameOf}
          search={t('users.search')}
          filters={[
            {
              name: 'role',
              label: t('users.column.role'),
              all: t('users.everyRole'),
              options: roles.map((value) => ({ value, label: t(`users.role.${value}`) })),
            },
            {
              name: 'tier',
              label: t('users.column.tier'),
              all: t('users.everyTier'),
              options: [
                ...tiers.map((value) => ({ value, label: planOf(value).name })),
                { value: 'none', label: t('users.noTier') },
              ],
            },
            {
              name: 'state',
              label: t('users.state'),
              all: t('users.everyState'),
              options: states.map((value) => ({ value, label: t(`users.state.${value}`) })),
            },
          ]}
          orders={options.sorts
            .flatMap((sort) => [sort, `-${sort}`] as const)
            .map((value) => ({ value, label: t(`users.order.${value}`) }))}
          loadFailed={t('users.loadFailed')}
          empty={<EmptyState icon={<Users size={22} aria-hidden />} title={t('users.empty')} />}
          selection={selection}
          bulk={
            <BulkDelete
              call="DELETE /api/admin/users/:id"
              kind="users"
              items={selection.selected}
              nameOf={nameOf}
              onStart={changed.forget}
            />
          }
          shape={shape}
        />
      </Panel>
      <CreateUserDialog open={creating} onClose={() => setCreating(false)} onCreated={changed.remember} />
      {selected && (
        <EditUserDialog
          key={`edit-${selected.id}`}
          open={dialog === 'edit'}
          user={selected}
          onClose={close}
          onSaved={changed.remember}
        />
      )}
      {selected && <SuspendUserDialog open={dialog === 'suspend'} user={selected} onClose={close} />}
      {deletion.dialog}
      {lifting.dialog}
    </Page>
  );
}
