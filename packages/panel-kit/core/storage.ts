/** What the panel stores in the browser. `open-add-proxy` lives in the session's storage. */
export type StoredKey = 'language' | 'sidebar-state' | 'appearance' | 'plan-notice';

/** A stored text, or null; also when the browser denies storage. */
export function readStored(key: StoredKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text; a browser that denies storage just forgets it. */
export function store(key: StoredKey, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Nothing depends on it.
  }
}
