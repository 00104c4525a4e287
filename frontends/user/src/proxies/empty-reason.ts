import { canCreateQuery, useUser } from '@talpa/panel-kit/core';
import { useQuery } from '@tanstack/react-query';
import { choosesPlans } from '../subscription/ask-administrator.tsx';

/**
 * What somebody without proxies should know: they may create one, may not, need a plan, have to ask for one, or set their
 * limit themselves, as administrators do. Null while that is not known.
 */
export function useEmptyReason(): 'add' | 'suspended' | 'plan' | 'ask' | 'limit' | null {
  const { suspension, isAdmin } = useUser();
  const { data: quota } = useQuery(canCreateQuery);
  if (suspension) return 'suspended';
  if (!quota) return null;
  if (quota.canCreate) return 'add';
  if (isAdmin) return 'limit';
  return choosesPlans() ? 'plan' : 'ask';
}
