import { pageAt } from './pages.ts';
import { remotes } from './remotes.ts';

/** Loads the remote and the page at an address while the frame is being drawn, not after it. */
export function loadFirstPage(address: string): void {
  const found = pageAt(address);
  // Only administrators get their remote: it waits for the session.
  if (found?.remote !== 'user') return;
  remotes
    .user()
    .then(({ routes }) => routes.find(({ path }) => path === found.page.path)?.handle.loadAhead())
    // Where the page is shown, it is requested again, or its failure is shown.
    .catch(() => {});
}
