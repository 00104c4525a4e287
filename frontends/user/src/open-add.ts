import { useEffect, useState } from 'react';

/** What the proxy page can be asked to open. */
export type Added = 'proxy' | 'server';
/** Asks it for this session alone. */
const key = 'open-add-proxy';

export function askToAdd(what: Added): void {
  sessionStorage.setItem(key, what);
}

/**
 * Which of the dialogs is open, and how to open and close them; open at first if it was asked for.
 * The request ends with the page shown, not with reading it: React may begin to draw a page twice.
 */
export function useAdding(): readonly [Added | null, (adding: Added | null) => void] {
  const state = useState(() => sessionStorage.getItem(key) as Added | null);
  useEffect(() => sessionStorage.removeItem(key), []);
  return state;
}
