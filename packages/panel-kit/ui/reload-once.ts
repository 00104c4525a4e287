const key = 'reloaded-at';
/** A second reload within this time would not help either, in ms. */
const pauseMs = 60_000;

/**
 * Reloads the page after a part of its code failed to load, at most once a minute. The federation runtime keeps a
 * shared module that has failed, so trying again in the same page cannot succeed. Without a connection it waits.
 * @returns stops waiting
 */
export function reloadOnce(): () => void {
  const reload = () => {
    const last = Number(sessionStorage.getItem(key) ?? 0);
    if (Date.now() - last < pauseMs) return;
    sessionStorage.setItem(key, String(Date.now()));
    window.location.reload();
  };
  if (navigator.onLine) reload();
  else window.addEventListener('online', reload, { once: true });
  return () => window.removeEventListener('online', reload);
}
