/** The cookies of the wall, by what they hold: who has passed, who has been sent to the panel to sign in, and who has requested a code. */
const names = { session: 'talpa-access', state: 'talpa-access-state', email: 'talpa-access-email' } as const;
type CookieUse = keyof typeof names;
type Scheme = 'http' | 'https';

/** Of all of them, over http and https: none reaches an origin, and none comes from one. */
const ours = /^(?:__host-)?talpa-access(?:-state|-email)?$/i;

const beforeName: ReadonlySet<string> = new Set([' ', '\t', '=']);

/**
 * A cookie's name. Over https the prefix keeps other hosts of the domain from setting it. Browsers take the prefix over https
 * alone; over http such a cookie lets nobody in but those who have got it here, because it is bound to the proxy.
 */
const nameOf = (use: CookieUse, scheme: Scheme) => (scheme === 'https' ? `__Host-${names[use]}` : names[use]);

/** So many cookies of one name are looked at: over http another host of the domain can set one beside ours. */
const mostCookies = 4;

/** What the cookies of the wall for a use hold, the first few. */
export function readWallCookies(header: string | undefined, use: CookieUse, scheme: Scheme): string[] {
  if (!header) return [];
  const prefix = `${nameOf(use, scheme)}=`;
  const pairs = header.split(';').map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
  return [...new Set(values)].slice(0, mostCookies);
}

/** As `readWallCookies`, of what counts once: null where there is none, or two of them. */
export function readWallCookie(header: string | undefined, use: CookieUse, scheme: Scheme): string | null {
  const [only, ...others] = readWallCookies(header, use, scheme);
  return others.length === 0 ? (only ?? null) : null;
}

/** A Set-Cookie header. @param seconds 0: deletes it */
export function wallCookie(use: CookieUse, scheme: Scheme, value: string, seconds: number): string {
  const secure = scheme === 'https' ? '; Secure' : '';
  return `${nameOf(use, scheme)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** A Cookie header without those of the wall; undefined: nothing is left. */
export function withoutWallCookies(header: string): string | undefined {
  const kept = header.split(';').filter((pair) => !isOurs(pair));
  return kept.length > 0 ? kept.join(';').trim() : undefined;
}

/**
 * Whether a `name=value`, attributes after it or not, names a cookie of the wall. Of one without a name, `=name=value`, browsers send the value alone, which then
 * passes for a name and its value.
 */
export function isOurs(pair: string): boolean {
  let start = 0;
  while (beforeName.has(pair[start] ?? '')) start += 1;
  let end = start;
  while (end < pair.length && pair[end] !== '=' && pair[end] !== ';') end += 1;
  return ours.test(pair.slice(start, end).trim());
}
