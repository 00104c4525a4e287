import type { Invitation } from '@talpa/contracts';
import { planOf } from '@talpa/contracts/plans';
import { formatDate } from '@talpa/panel-kit/core';
import { LongText, type RowShape } from '@talpa/panel-kit/table';
import { Tag } from '@talpa/panel-kit/ui';
import { Ban, Users } from 'lucide-react';
import { useAdminTexts } from '../texts/admin-texts.ts';

const colors = { open: 'success', used_up: 'default', expired: 'default', revoked: 'error' } as const;

/** How an invitation is called: by its note, or its number. */
export function useInvitationName(): (invitation: Invitation) => string {
  const t = useAdminTexts();
  return ({ id, note }) => note || t('invitations.number', { id });
}

/** Invitations as rows. */
export function useInvitationRows(on: {
  readonly revoke: (invitation: Invitation) => void;
  readonly showUsers: (invitation: Invitation) => void;
}): RowShape<Invitation> {
  const t = useAdminTexts();
  const nameOf = useInvitationName();
  const planText = ({ tier, months }: Invitation) => {
    if (!tier) return t('users.none');
    const plan = planOf(tier).name;
    if (months === null) return plan;
    return t('invitations.plan', { plan, count: months });
  };
  return {
    label: t('invitations.list'),
    actions: (invitation) => [
      {
        key: 'users',
        text: t('invitations.users'),
        name: t('action', { action: t('invitations.users'), name: nameOf(invitation) }),
        Icon: Users,
        onClick: () => on.showUsers(invitation),
      },
      {
        key: 'revoke',
        text: t('invitations.revoke'),
        name: t('action', { action: t('invitations.revoke'), name: nameOf(invitation) }),
        why: invitation.state === 'open' ? undefined : t('invitations.revoke.ended'),
        Icon: Ban,
        danger: true,
        disabled: invitation.state !== 'open',
        onClick: () => on.revoke(invitation),
      },
    ],
    columns: [
      {
        key: 'name',
        title: t('invitations.column.name'),
        render: (invitation) => <LongText text={nameOf(invitation)} lines={2} />,
        min: 170,
        grow: 4,
        sort: 'createdAt',
        onCard: 'title',
      },
      {
        key: 'state',
        title: t('invitations.column.state'),
        render: ({ state }) => <Tag color={colors[state]}>{t(`invitations.state.${state}`)}</Tag>,
        min: 116,
        onCard: 'extra',
      },
      { key: 'plan', title: t('invitations.column.plan'), render: planText, min: 160, grow: 1 },
      {
        key: 'used',
        title: t('invitations.column.used'),
        render: ({ used, uses }) => t('invitations.used', { used, uses }),
        min: 110,
        grow: 1,
      },
      {
        key: 'expires',
        title: t('invitations.column.expires'),
        render: ({ expiresAt }) =>
          expiresAt === null ? t('invitations.unlimited') : formatDate(expiresAt, 'de'),
        min: 160,
        grow: 1,
      },
    ],
  };
}
