import { joinPath } from '@talpa/contracts/link-paths';
import { hasUnsaved, type SessionEnd, sessionEnd } from '@talpa/panel-kit/core';

/** That somebody's session is over: how it ended, and whether something typed went with it. */
export interface Interruption {
  readonly end: Exclude<SessionEnd, 'onPurpose'>;
  readonly lost: boolean;
}
interface Left {
  readonly path: string;
  /** Who was there; null: nobody, it was a deep link. */
  readonly by: number | null;
  readonly interruption: Interruption | null;
}

/**
 * Where to go after signing in: the page the user came from after a deep link or an expired session, and then
 * only for the same user; the dashboard after signing out on purpose.
 */
let user: number | null = null;
let left: Left | null = null;

/** Somebody is signed in. */
export function setUser(userId: number): void {
  user = userId;
}

/** Somebody was sent away from a page because nobody is signed in. Called again before they are gone it adds nothing. */
export function wentAway(path: string): void {
  const end = sessionEnd();
  if (end === 'onPurpose') left = null;
  else if (left?.path !== path)
    left = { path, by: user, interruption: user === null ? null : { end, lost: hasUnsaved() } };
}

/** What is to be said on the sign-in page; null when nothing was interrupted. */
export function interruption(): Interruption | null {
  return left?.interruption ?? null;
}

/** The secret of the invitation's link that led to the sign-in page; null: something else did. */
export function invitationToken(): string | null {
  const { pathname, hash } = new URL(left?.path ?? '/', window.location.origin);
  return pathname === joinPath ? hash.slice(1) : null;
}

/** Where a user who has just signed in goes. */
export function returnPath(userId: number): string {
  if (!left || (left.by !== null && left.by !== userId)) return '/';
  // A path of ours, whatever stands in it: `//host` and `/\\host` would be other hosts.
  const { origin, pathname, search, hash } = new URL(left.path, window.location.origin);
  return origin === window.location.origin ? `${pathname}${search}${hash}` : '/';
}

/** Where `left` is kept while a sign-in provider has the browser: the tab's storage alone. */
const key = 'talpa-return';

/** The browser leaves for a sign-in provider. @param from the page that a signed-in user signs in again for */
export function keepReturn(from?: Pick<Left, 'path' | 'by'>): void {
  const kept = from ?? left;
  try {
    if (kept) sessionStorage.setItem(key, JSON.stringify({ path: kept.path, by: kept.by }));
    else sessionStorage.removeItem(key);
  } catch {
    // Without storage one gets to the dashboard.
  }
}

/** The browser comes back from there. */
export function takeReturn(): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Pick<Left, 'path' | 'by'> | null;
    sessionStorage.removeItem(key);
    if (kept && typeof kept.path === 'string') left = { path: kept.path, by: kept.by, interruption: null };
  } catch {
    // Without storage one gets to the dashboard.
  }
}

export function forgetReturn(): void {
  left = null;
}
