import { pages as adminPages } from '@talpa/panel-admin/pages';
import { proxyQuery, useUser } from '@talpa/panel-kit/core';
import { matchPath, useLocation } from '@talpa/panel-kit/router';
import { pages as userPages } from '@talpa/panel-user/pages';
import { useQuery } from '@tanstack/react-query';
import { menuOf } from '../remotes/pages.ts';

/** The address of the menu entry of the current page; null: at none of them. */
export function useCurrentEntry(): string | null {
  const { pathname } = useLocation();
  const { id: me, isAdmin } = useUser();
  const shown = matchPath(userPages.proxy.path, pathname)?.params.id;
  // What its page has loaded: nothing is asked for the menu's sake.
  const { data: proxy } = useQuery({ ...proxyQuery(Number(shown)), enabled: false });
  if (shown && isAdmin && proxy?.userId !== me) return proxy ? adminPages.proxies.path : null;
  const entries = [...menuOf('user'), ...menuOf('admin')];
  const isAbove = (path: string) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`));
  return entries.find(({ path }) => isAbove(path))?.path ?? null;
}
