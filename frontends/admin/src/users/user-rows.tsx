import type { User } from '@talpa/contracts';
import { useUser } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { LongText, type RowAction, type RowShape } from '@talpa/panel-kit/table';
import { Tag } from '@talpa/panel-kit/ui';
import { Ban, Pencil, ShieldCheck, Trash2 } from 'lucide-react';
import { userPath } from '../paths.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { RoleTag, useUserFacts } from './user-facts.tsx';
import styles from './users.module.css';

type UserAction = 'edit' | 'delete' | 'suspend' | 'lift';

/** All users as rows. */
export function useUserRows(options: {
  /** The user a dialog is about: nobody opens another deletion of theirs. */
  readonly selected: User | null;
  readonly onAction: (action: UserAction, user: User) => void;
}): RowShape<User> {
  const t = useAdminTexts();
  const me = useUser();
  const { tier, expiry } = useUserFacts();
  const actions = (user: User): RowAction[] => {
    const isMe = user.id === me.id;
    const action = (key: UserAction, text: string, rest: Pick<RowAction, 'Icon'> & Partial<RowAction>) => ({
      key,
      text,
      name: t('action', { action: text, name: user.username }),
      onClick: () => options.onAction(key, user),
      ...rest,
    });
    return [
      action('edit', t('edit'), { Icon: Pencil }),
      user.suspension
        ? action('lift', t('users.lift'), { Icon: ShieldCheck })
        : action('suspend', t('users.suspend'), {
            why: isMe ? t('users.suspend.self') : undefined,
            Icon: Ban,
            disabled: isMe,
          }),
      action('delete', t('delete'), {
        why: isMe ? t('users.delete.self') : undefined,
        Icon: Trash2,
        danger: true,
        disabled: isMe || options.selected?.id === user.id,
      }),
    ];
  };
  return {
    label: t('users.list'),
    actions,
    columns: [
      { key: 'id', title: t('users.column.id'), render: (user) => user.id, min: 68, sort: 'createdAt' },
      {
        key: 'username',
        title: t('users.column.username'),
        render: (user) => <Username user={user} isMe={user.id === me.id} />,
        min: 170,
        grow: 4,
        sort: 'username',
        onCard: 'title',
      },
      {
        key: 'role',
        title: t('users.column.role'),
        render: (user) => <RoleTag user={user} />,
        min: 130,
        onCard: 'extra',
      },
      { key: 'tier', title: t('users.column.tier'), render: tier, min: 124, grow: 1 },
      {
        key: 'limit',
        title: t('users.column.limit'),
        render: (user) => user.proxyLimit,
        min: 104,
        grow: 1,
      },
      { key: 'expiry', title: t('users.column.expiry'), render: expiry, min: 160, grow: 1 },
    ],
  };
}

function Username({ user, isMe }: { readonly user: User; readonly isMe: boolean }) {
  const t = useAdminTexts();
  return (
    <>
      <Link to={userPath(user.id)} className={styles.name}>
        {user.username}
      </Link>{' '}
      {isMe && <Tag>{t('users.you')}</Tag>}
      {user.suspension && (
        <span className={styles.suspended}>
          <LongText text={t('users.suspended.reason', { reason: user.suspension.reason })} lines={1} />
        </span>
      )}
    </>
  );
}
