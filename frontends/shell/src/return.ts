import { hasSignedOut } from '@talpa/panel-kit/core';

/**
 * Where to go after signing in: the page one came from after a deep link or an expired session, and then
 * only for the same person; the dashboard after signing out on purpose.
 */
let person: number | null = null;
let left: { readonly path: string; readonly by: number | null } | null = null;

/** Somebody is signed in. */
export function rememberPerson(userId: number): void {
  person = userId;
}

/** Somebody was sent away from a page because nobody is signed in. */
export function wentAway(path: string): void {
  left = hasSignedOut() ? null : { path, by: person };
}

/** Where a person who has just signed in goes. */
export function returnPath(userId: number): string {
  if (!left || (left.by !== null && left.by !== userId)) return '/';
  return left.path.startsWith('/') && !left.path.startsWith('//') ? left.path : '/';
}

export function forgetReturn(): void {
  left = null;
}
