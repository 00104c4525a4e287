import { QueryClient } from '@tanstack/react-query';
import { onSessionLost } from '../session-end.ts';
import { i18n } from '../texts/language.ts';
import { dismissToasts } from '../toasts.ts';
import { sessionQuery } from './queries.ts';

/** The panel's cache: nothing is retried, nor fetched again by itself, nor ever stale. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
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
