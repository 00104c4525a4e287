import { pages as adminPages } from '@talpa/panel-admin/pages';
import { isPageAt, type Pages } from '@talpa/panel-kit/pages';
import { pages as userPages } from '@talpa/panel-user/pages';
import type { RemoteName } from './remotes.ts';

/** The remotes' pages, built into the shell: menu and 404 do not depend on a remote that is not loaded yet, or is down. */
const pagesOf: Readonly<Record<RemoteName, Pages>> = { user: userPages, admin: adminPages };

/** The pages of a remote that have an entry in the menu, in its order. */
export const menuOf = (remote: RemoteName) =>
  Object.values(pagesOf[remote]).flatMap(({ path, menu }) => (menu ? [{ path, ...menu }] : []));

/** The remote that has an address, or null for one that nobody has. */
export function remoteOf(address: string): RemoteName | null {
  const normal = address.length > 1 ? address.replace(/\/+$/, '') : address;
  const has = (remote: RemoteName) => Object.values(pagesOf[remote]).some((page) => isPageAt(page, normal));
  return (['user', 'admin'] as const).find(has) ?? null;
}
