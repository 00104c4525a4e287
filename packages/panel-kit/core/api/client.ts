import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { onSessionLost } from '../session-end.ts';
import { i18n } from '../texts/language.ts';
import { dismissToasts } from '../toasts.ts';
import { sessionQuery } from './queries.ts';

/**
 * The library takes what is being fetched for the first time, or for nobody any more, as it comes, and for up to date from then
 * on: though it was said to be out of date while its response was under way, which may be an older one. Here it is fetched again.
 */
class PanelQueryClient extends QueryClient {
  override async invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const fetchAgain = async ({ promise, queryKey }: Query) => {
      await Promise.allSettled([promise]);
      await super.invalidateQueries({ ...filters, queryKey, exact: true }, options);
    };
    const underWay = this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
    // Nobody waits for what nobody looks at.
    for (const query of underWay) if (!query.isActive()) void fetchAgain(query);
    const first = underWay.filter((query) => query.isActive() && query.state.data === undefined);
    await Promise.all([super.invalidateQueries(filters, options), ...first.map(fetchAgain)]);
  }
}

/**
 * The panel's cache. Nothing is retried or ever stale by itself; what failed, or became outdated while the network was
 * away, is fetched once it is back, for the live stream may have outlived that.
 */
export function createQueryClient(): QueryClient {
  const client = new PanelQueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        staleTime: Number.POSITIVE_INFINITY,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  // What failed says why in the language it was asked in.
  i18n.on('languageChanged', () => {
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  });
  onSessionLost(() => {
    dismissToasts();
    client.setQueryData(sessionQuery.queryKey, null);
  });
  return client;
}
