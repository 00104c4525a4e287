import type { RemoteName } from './remotes/remotes.ts';

export const authPath = '/auth';
/** The project's mascot shows itself there, to everybody. */
export const mascotPath = '/maulwurf';

/** Whose page an address is; a visitor who is signed out is sent to sign in. */
const pages: Readonly<Record<string, RemoteName>> = {
  '/': 'user',
  '/tunnel-configuration': 'user',
  '/settings': 'user',
  '/subscription': 'user',
  '/admin/users': 'admin',
  '/admin/tunnel': 'admin',
  '/admin/audit': 'admin',
};

const pagesOfOne: readonly (readonly [RegExp, RemoteName])[] = [
  [/^\/tunnel-configuration\/\d+$/, 'user'],
  [/^\/admin\/users\/\d+$/, 'admin'],
];

/** The remote that has an address, or null for one that nobody has. */
export function remoteOf(path: string): RemoteName | null {
  const normal = path.length > 1 ? path.replace(/\/+$/, '') : path;
  return pages[normal] ?? pagesOfOne.find(([page]) => page.test(normal))?.[1] ?? null;
}
