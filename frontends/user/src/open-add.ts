import { useEffect, useState } from 'react';

/** Asks the proxy page, for this session alone, to open the add dialog. */
const key = 'open-add-proxy';

export function askToAddProxy(): void {
  sessionStorage.setItem(key, 'true');
}

/**
 * Whether the add dialog is open, and how to open and close it; open at first if it was asked for.
 * The request ends with the page shown, not with reading it: React may begin to draw a page twice.
 */
export function useAdding(): readonly [boolean, (adding: boolean) => void] {
  const state = useState(() => sessionStorage.getItem(key) !== null);
  useEffect(() => sessionStorage.removeItem(key), []);
  return state;
}
