/** Below this the wall answers by itself, where a proxy has one. */
export const wallPrefix = '/.talpa/access/';

/** Where its forms and links lead, and where the panel sends the browser back to. */
export const wallPaths = {
  pin: `${wallPrefix}pin`,
  password: `${wallPrefix}password`,
  email: `${wallPrefix}email`,
  emailCode: `${wallPrefix}email-code`,
  signIn: `${wallPrefix}sign-in`,
  return: `${wallPrefix}return`,
} as const;

/**
 * A path of the same host that a browser can be sent to. What could lead elsewhere, or back to the wall, leads to the beginning.
 * @param path with its query
 */
export function safePath(path: string | null | undefined): string {
  if (!path || path.length > 1_000) return '/';
  const isOwn = /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.includes('\\');
  return isOwn && !path.startsWith(wallPrefix) ? path : '/';
}
