import { pages as adminPages } from '@talpa/panel-admin/pages';
import { proxyQuery, serverQuery, useUser } from '@talpa/panel-kit/core';
import { matchPath, useLocation } from '@talpa/panel-kit/router';
import { pages as userPages } from '@talpa/panel-user/pages';
import { useQuery } from '@tanstack/react-query';
import { menuOf } from '../remotes/pages.ts';

/** The address of the menu entry of the current page; null: at none of them. */
export function useCurrentEntry(): string | null {
  const { pathname } = useLocation();
  const { id: me, isAdmin } = useUser();
  const proxyId = matchPath(userPages.proxy.path, pathname)?.params.id;
  const serverId = matchPath(userPages.server.path, pathname)?.params.id;
  // What its page has loaded: nothing is asked for the menu's sake.
  const { data: proxy } = useQuery({ ...proxyQuery(Number(proxyId)), enabled: false });
  const { data: server } = useQuery({ ...serverQuery(Number(serverId)), enabled: false });
  if (proxyId || serverId) {
    const shown = proxyId ? proxy : server;
    if (!isAdmin || shown?.userId === me) return userPages.proxies.path;
    return shown ? adminPages.proxies.path : null;
  }
  const entries = [...menuOf('user'), ...menuOf('admin')];
  const isAbove = (path: string) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`));
  return entries.find(({ path }) => isAbove(path))?.path ?? null;
}
