import type { RemoteName } from './remotes.ts';

const startAfterMs = 2_500;

/**
 * Fetches what the remotes' other pages will need, once the first page is there and the browser rests. It
 * is also what makes the shell provide these modules: remotes bring none of their own.
 */
export function fetchAhead(remote: RemoteName): void {
  const fetchAll = () =>
    Promise.all([
      import('@talpa/panel-kit/form'),
      import('@talpa/panel-kit/table'),
      import('@talpa/panel-features/proxies'),
      import('@talpa/panel-features/audit'),
      import('@talpa/panel-features/notifications'),
      import('@talpa/panel-features/channels'),
      import('@talpa/panel-features/proxy-status'),
      // Users never ask for days.
      ...(remote === 'admin' ? [import('@talpa/panel-kit/date')] : []),
    ]).catch(() => {
      // The page that needs them requests them again, and shows the failure.
    });
  // The browser also rests while it waits for the first page's data: that page comes first.
  setTimeout(() => {
    // Safari has no idle callback.
    if ('requestIdleCallback' in window) requestIdleCallback(() => void fetchAll(), { timeout: 5_000 });
    else void fetchAll();
  }, startAfterMs);
}
