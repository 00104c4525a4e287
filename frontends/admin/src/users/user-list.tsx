import type { User } from '@talpa/contracts';
import { useIsNarrow, useUser } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { CardList, type Column, DataTable, type RowsState } from '@talpa/panel-kit/table';
import { IconButton, Tag } from '@talpa/panel-kit/ui';
import { Ban, Pencil, ShieldCheck, Trash2 } from 'lucide-react';
import { userPath } from '../paths.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { RoleTag, useUserFacts } from './user-facts.tsx';
import styles from './users.module.css';

/** A dialog about one user. */
export type UserDialog = 'edit' | 'delete' | 'suspend' | 'lift';

/** All users: a table on wide screens, cards on narrow ones. */
export function UserList(props: {
  readonly users: readonly User[];
  /** The user a dialog is about; his card cannot open another deletion. */
  readonly selected: User | null;
  readonly state: RowsState<User>;
  readonly onAction: (dialog: UserDialog, user: User) => void;
}) {
  const t = useAdminTexts();
  const me = useUser();
  const narrow = useIsNarrow();
  const name = (user: User) => (
    <>
      <Link to={userPath(user.id)} className={styles.name}>
        {user.username}
      </Link>{' '}
      {user.id === me.id && <Tag>{t('users.you')}</Tag>}
      {user.suspension && (
        <span className={styles.suspended} title={user.suspension.reason}>
          {t('users.suspended.reason', { reason: user.suspension.reason })}
        </span>
      )}
    </>
  );
  const role = (user: User) => <RoleTag user={user} />;
  const { tier, expiry } = useUserFacts();
  const actions = (user: User) => {
    const isMe = user.id === me.id;
    return (
      <>
        <IconButton
          label={t('action', { action: t('edit'), name: user.username })}
          tip={t('edit')}
          icon={<Pencil size={16} aria-hidden />}
          onClick={() => props.onAction('edit', user)}
        />
        {user.suspension ? (
          <IconButton
            label={t('action', { action: t('users.lift'), name: user.username })}
            tip={t('users.lift')}
            icon={<ShieldCheck size={16} aria-hidden />}
            onClick={() => props.onAction('lift', user)}
          />
        ) : (
          <IconButton
            label={t('action', { action: t('users.suspend'), name: user.username })}
            tip={isMe ? t('users.suspend.self') : t('users.suspend')}
            icon={<Ban size={16} aria-hidden />}
            disabled={isMe}
            onClick={() => props.onAction('suspend', user)}
          />
        )}
        <IconButton
          label={t('action', { action: t('delete'), name: user.username })}
          tip={isMe ? t('users.delete.self') : t('delete')}
          icon={<Trash2 size={16} aria-hidden />}
          danger
          disabled={isMe || (narrow && props.selected?.id === user.id)}
          onClick={() => props.onAction('delete', user)}
        />
      </>
    );
  };
  if (narrow)
    return (
      <CardList
        label={t('users.list')}
        rows={props.users}
        title={name}
        extra={role}
        facts={(user) => [
          { label: t('users.column.id'), value: user.id },
          { label: t('users.column.tier'), value: tier(user) },
          { label: t('users.column.limit'), value: user.proxyLimit },
          { label: t('users.column.expiry'), value: expiry(user) },
        ]}
        actions={actions}
        state={props.state}
      />
    );
  const columns: Column<User>[] = [
    { key: 'id', title: t('users.column.id'), render: (user) => user.id, width: 80, sort: 'createdAt' },
    { key: 'username', title: t('users.column.username'), render: name, sort: 'username' },
    { key: 'role', title: t('users.column.role'), render: role },
    { key: 'tier', title: t('users.column.tier'), render: tier },
    { key: 'limit', title: t('users.column.limit'), render: (user) => user.proxyLimit },
    { key: 'expiry', title: t('users.column.expiry'), render: expiry },
    { key: 'actions', title: t('users.column.actions'), align: 'right', render: actions },
  ];
  return <DataTable label={t('users.list')} rows={props.users} columns={columns} state={props.state} />;
}
