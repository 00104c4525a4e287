import type { RouteName } from '@talpa/contracts';

/** What the menu can draw; the shell has the icons. */
export type MenuIcon =
  | 'dashboard'
  | 'cable'
  | 'settings'
  | 'users'
  | 'ticket'
  | 'all'
  | 'log'
  | 'megaphone'
  | 'mail'
  | 'channel'
  | 'system';

/** Words of the panel; without English ones they are German in every language. */
export interface Words {
  readonly de: string;
  readonly en?: string;
}

/** What is known of a page before the remote that shows it is loaded. */
export interface PageDeclaration {
  /** Its address; `:id` stands for the number of a record. */
  readonly path: string;
  /** The name of the browser's tab, and its heading unless it has another. A page without an English one is German alone. */
  readonly title: Words;
  /** Its heading; `{name}` stands for the user's name. */
  readonly heading?: Words;
  /** What stands below the heading. */
  readonly subtitle?: Words;
  /** What it reads first, without input: requested while its code is on its way. */
  readonly reads?: readonly Exclude<Extract<RouteName, `GET ${string}`>, `${string}:${string}`>[];
  /** Its entry in the menu; left out: other pages lead to it. */
  readonly menu?: {
    readonly icon: MenuIcon;
    readonly label: Words;
    /** The entries that stand under one name; left out: those of every user, above the groups. */
    readonly group?: string;
  };
}

/** All pages of a remote, in the order of the menu. The one place of their addresses, titles and menu entries. */
export type Pages = Readonly<Record<string, PageDeclaration>>;

/** What a page reads first in an installation: not what its operator has switched off. */
export const readsOf = ({ reads = [] }: PageDeclaration, { showTotals }: { readonly showTotals: boolean }) =>
  showTotals ? reads : reads.filter((read) => read !== 'GET /api/system/stats');

/** Whether an address is that of a page. */
export function isPageAt({ path }: PageDeclaration, address: string): boolean {
  return new RegExp(`^${path.replaceAll(':id', '\\d+')}$`).test(address);
}
