import { canCreateQuery, useUser } from '@talpa/panel-kit/core';
import { useQuery } from '@tanstack/react-query';

/**
 * What somebody without proxies should know: they may create one, may not, need a plan, or set their limit themselves, as
 * administrators do. Null while that is not known.
 */
export function useEmptyReason(): 'add' | 'suspended' | 'plan' | 'limit' | null {
  const { suspension, isAdmin } = useUser();
  const { data: quota } = useQuery(canCreateQuery);
  if (suspension) return 'suspended';
  if (!quota) return null;
  if (quota.canCreate) return 'add';
  return isAdmin ? 'limit' : 'plan';
}
