import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { sessionQuery } from './queries.ts';

/** The panel's cache: nothing is retried, nor fetched again by itself, nor ever stale. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => noticeEnd(error) }),
    mutationCache: new MutationCache({ onError: (error) => noticeEnd(error) }),
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
  /** Any call may be the first to learn that the session has ended. */
  function noticeEnd(error: unknown): void {
    if (error instanceof ApiError && error.code === 'not_signed_in')
      client.setQueryData(sessionQuery.queryKey, null);
  }
  return client;
}
