import { pages as adminPages } from '@talpa/panel-admin/pages';
import { isPageAt, type PageDeclaration, type Pages } from '@talpa/panel-kit/pages';
import { pages as userPages } from '@talpa/panel-user/pages';
import type { RemoteName } from './remotes.ts';

/** The remotes' pages, built into the shell: menu and 404 do not depend on a remote that is not loaded yet, or is down. */
const pagesOf: Readonly<Record<RemoteName, Pages>> = { user: userPages, admin: adminPages };

/** An entry of the menu. */
export type MenuEntry = NonNullable<PageDeclaration['menu']> & { readonly path: string };

/** The pages of a remote that have an entry in the menu, in its order. */
export const menuOf = (remote: RemoteName): MenuEntry[] =>
  Object.values<PageDeclaration>(pagesOf[remote]).flatMap(({ path, menu }) =>
    menu ? [{ path, ...menu }] : [],
  );

/** The page at an address and the remote that has it, or null where there is none. */
export function pageAt(
  address: string,
): { readonly remote: RemoteName; readonly name: string; readonly page: PageDeclaration } | null {
  const normal = address.length > 1 ? address.replace(/\/+$/, '') : address;
  for (const remote of ['user', 'admin'] as const)
    for (const [name, page] of Object.entries(pagesOf[remote]))
      if (isPageAt(page, normal)) return { remote, name, page };
  return null;
}

/** The remote that has an address, or null for one that nobody has. */
export const remoteOf = (address: string): RemoteName | null => pageAt(address)?.remote ?? null;
