import { type ComponentType, use } from 'react';
import { loadOnce } from './load-once.ts';

/** A page that is loaded when it is shown first. Unlike React.lazy it can be asked for again after a failure. */
export function lazyPage<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const page = loadOnce(load);
  return function LazyPage(props: P) {
    const Page = use(page());
    return <Page {...props} />;
  };
}
