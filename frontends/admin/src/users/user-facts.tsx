import type { User } from '@talpa/contracts';
import { planOf } from '@talpa/contracts/plans';
import { formatDate } from '@talpa/panel-kit/core';
import { Tag } from '@talpa/panel-kit/ui';
import { useAdminTexts } from '../texts/admin-texts.ts';

/** What a user may do, as a word. */
export function RoleTag({ user }: { readonly user: User }) {
  const t = useAdminTexts();
  return (
    <Tag color={user.isAdmin ? 'processing' : 'default'}>
      {t(user.isAdmin ? 'users.role.admin' : 'users.role.user')}
    </Tag>
  );
}

/** A user's plan and its end in words. */
export function useUserFacts() {
  const t = useAdminTexts();
  return {
    tier: ({ subscriptionTier: tier }: User) => (tier ? planOf(tier).name : t('users.none')),
    expiry: ({ subscriptionExpiry: expiry }: User) =>
      expiry === null ? t('users.never') : (formatDate(expiry, 'de') ?? t('users.invalidDate')),
  };
}
