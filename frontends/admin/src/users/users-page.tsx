import type { User } from '@talpa/contracts';
import { adminUsersQuery } from '@talpa/panel-kit/core';
import { Button, EmptyState, ErrorCard, Loading, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Plus, Users } from 'lucide-react';
import { useState } from 'react';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { CreateUserDialog } from './create-user-dialog.tsx';
import { DeleteUserDialog } from './delete-user-dialog.tsx';
import { EditUserDialog } from './edit-user-dialog.tsx';
import { LiftUserDialog, SuspendUserDialog } from './suspend-user-dialog.tsx';
import { type UserDialog, UserList } from './user-list.tsx';

/** All users and what an administrator does with them. */
export function UsersPage() {
  const t = useAdminTexts();
  const users = useQuery(adminUsersQuery);
  const [creating, setCreating] = useState(false);
  const [dialog, setDialog] = useState<UserDialog | null>(null);
  // Kept while its dialog closes, so that the dialog does not go blank.
  const [selected, setSelected] = useState<User | null>(null);
  const close = () => setDialog(null);
  return (
    <Page
      title={t('users.title')}
      subtitle={t('users.subtitle')}
      actions={
        <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          {t('users.create')}
        </Button>
      }
    >
      <Panel title={t('users.list')} flush>
        {users.isPending && <Loading />}
        {users.isError && (
          <ErrorCard
            title={t('users.loadFailed')}
            error={users.error}
            retry={() => void users.refetch()}
            retrying={users.isFetching}
          />
        )}
        {users.data?.length === 0 && (
          <EmptyState icon={<Users size={22} aria-hidden />} title={t('users.empty')} />
        )}
        {users.data && users.data.length > 0 && (
          <UserList
            users={users.data}
            selected={dialog ? selected : null}
            onAction={(next, user) => {
              setSelected(user);
              setDialog(next);
            }}
          />
        )}
      </Panel>
      <CreateUserDialog open={creating} onClose={() => setCreating(false)} />
      {selected && (
        <EditUserDialog
          key={`edit-${selected.id}`}
          open={dialog === 'edit'}
          user={selected}
          onClose={close}
        />
      )}
      {selected && <DeleteUserDialog open={dialog === 'delete'} user={selected} onClose={close} />}
      {selected && <SuspendUserDialog open={dialog === 'suspend'} user={selected} onClose={close} />}
      {selected && <LiftUserDialog open={dialog === 'lift'} user={selected} onClose={close} />}
    </Page>
  );
}
