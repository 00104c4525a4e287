import type { Invitation } from '@talpa/contracts';
import { formatTime, invitedUsersQuery } from '@talpa/panel-kit/core';
import { Dialog, useOpener } from '@talpa/panel-kit/form';
import { Link } from '@talpa/panel-kit/router';
import { ErrorCard, Loading } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { userPath } from '../paths.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import styles from './invitations.module.css';

/** Who has registered with an invitation. */
export function InvitedUsersDialog({
  open,
  invitation,
  onClose,
}: {
  readonly open: boolean;
  readonly invitation: Invitation;
  readonly onClose: () => void;
}) {
  const t = useAdminTexts();
  const giveFocusBack = useOpener(open);
  return (
    <Dialog
      open={open}
      title={t('invitations.users.title')}
      okText={t('close')}
      cancelButtonProps={{ style: { display: 'none' } }}
      closable={{ 'aria-label': t('close') }}
      onOk={onClose}
      onCancel={onClose}
      afterOpenChange={giveFocusBack}
      destroyOnHidden
      width={460}
    >
      {open && <InvitedUsers id={invitation.id} />}
    </Dialog>
  );
}

function InvitedUsers({ id }: { readonly id: number }) {
  const t = useAdminTexts();
  const users = useQuery(invitedUsersQuery(id));
  if (users.isPending) return <Loading />;
  if (users.isError)
    return (
      <ErrorCard
        title={t('invitations.users.failed')}
        error={users.error}
        retry={() => void users.refetch()}
        retrying={users.isFetching}
      />
    );
  if (users.data.length === 0) return <p>{t('invitations.users.empty')}</p>;
  return (
    <ul className={styles.users}>
      {users.data.map((user) => (
        <li key={user.id}>
          <Link to={userPath(user.id)}>{user.username}</Link>
          <span>{formatTime(user.at, 'de')}</span>
        </li>
      ))}
    </ul>
  );
}
