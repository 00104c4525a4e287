import { hasUnsaved } from '../core/unsaved.ts';

const key = 'reloaded-at';
/** A second reload within this time would not help either, in ms. */
const pauseMs = 60_000;

/**
 * Reloads the page after a part of its code failed to load, at most once a minute, and never while
 * something typed would be lost. The federation runtime keeps a
 * shared module that has failed, so trying again in the same page cannot succeed. Without a connection it waits.
 * @param mayHelp whether the server would give the missing part to a page that asks anew
 * @returns stops waiting
 */
export function reloadOnce(mayHelp: () => Promise<boolean>): () => void {
  const reload = async () => {
    if ((await mayHelp()) && !hasUnsaved() && mayReload()) window.location.reload();
  };
  if (navigator.onLine) void reload();
  else window.addEventListener('online', reload, { once: true });
  return () => window.removeEventListener('online', reload);
}

/** Stores the reload. A browser that denies storage could not end a loop of reloads, so it starts none. */
function mayReload(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < pauseMs) return false;
    sessionStorage.setItem(key, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
