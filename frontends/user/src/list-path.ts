import { useUser } from '@talpa/panel-kit/core';
import { pages } from './pages.ts';

/** The list that a proxy or a server stands in: an administrator has come to another user's from the list of all. */
export function useListPath(
  of: { readonly userId: number; readonly membership?: unknown } | undefined,
): string {
  const { id: me, isAdmin } = useUser();
  return isAdmin && of && !of.membership && of.userId !== me ? '/admin/tunnel' : pages.proxies.path;
}
