import { canCreateQuery, useUser } from '@talpa/panel-kit/core';
import { useQuery } from '@tanstack/react-query';

/** What somebody without proxies should know: they may create one, may not, need a plan. Null while that is not known. */
export function useEmptyReason(): 'add' | 'suspended' | 'plan' | null {
  const { suspension } = useUser();
  const { data: quota } = useQuery(canCreateQuery);
  if (suspension) return 'suspended';
  if (!quota) return null;
  return quota.canCreate ? 'add' : 'plan';
}
