import { type ComponentType, use } from 'react';
import { forgetFailures, loadOnce } from './load-once.ts';

/**
 * A page that is loaded when it is shown first, or by `loadAhead`. Unlike React.lazy it can be asked for again after a
 * failure.
 */
export function lazyPage<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> & { readonly loadAhead: () => Promise<void> } {
  const page = loadOnce(load);
  function LazyPage(props: P) {
    const Page = use(page());
    return <Page {...props} />;
  }
  // A failure is shown when the page itself is, if it fails again.
  return Object.assign(LazyPage, { loadAhead: () => page().then(() => {}, forgetFailures) });
}
