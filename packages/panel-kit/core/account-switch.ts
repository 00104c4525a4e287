import { useSyncExternalStore } from 'react';

/** That another account is signed in here than before, by another tab of the browser. */
export interface AccountSwitch {
  /** Whether something typed for the account before went with it. */
  readonly lost: boolean;
}

/** Whose pages this tab has shown last. */
let last: number | null = null;
let hasLost = false;
let current: AccountSwitch | null = null;
const listeners = new Set<() => void>();

function change(next: AccountSwitch | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Somebody has signed in by this very tab: they know. */
export function signedInHere(userId: number): void {
  last = userId;
  hasLost = false;
  change(null);
}

/** Another tab has signed out or in. @param lost whether something typed is lost by that */
export function changedElsewhere(lost: boolean): void {
  hasLost ||= lost;
}

/** This tab is about to show somebody's pages. */
export function showAccount(userId: number): void {
  const isOther = last !== null && last !== userId;
  last = userId;
  if (isOther) change({ lost: hasLost });
  hasLost = false;
}

/** Somebody has read it. */
export const dismissAccountSwitch = (): void => change(null);

/** What to say about a change of the account; null: nothing. */
export function useAccountSwitch(): AccountSwitch | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
