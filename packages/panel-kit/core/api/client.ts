import { QueryClient } from '@tanstack/react-query';
import { onSessionLost } from '../session-end.ts';
import { i18n } from '../texts/language.ts';
import { dismissToasts } from '../toasts.ts';
import { sessionQuery } from './queries.ts';

/**
 * The panel's cache. Nothing is retried or ever stale by itself; what failed, or became outdated while the network was
 * away, is fetched once it is back, for the live stream may have outlived that.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
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
