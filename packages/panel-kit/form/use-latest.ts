import { type FetchQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import type { ApiError } from '../core/api/api-error.ts';

/** A record as it is now. */
export interface Latest<T> {
  readonly record: T;
  /** It has been deleted; `record` is what was known last. */
  readonly isGone: boolean;
  readonly refetch: () => Promise<unknown>;
  /** Puts what the server has saved in the record's place, for everything that shows it. */
  readonly replace: (saved: T) => void;
}

/**
 * Keeps a record current while its dialog is open: starts with the given one, fetches it at once, and again
 * whenever its query is invalidated. Call it in a component that lives as long as one opening.
 */
export function useLatest<T>(given: T, query: FetchQueryOptions<T, ApiError>, open: boolean): Latest<T> {
  const client = useQueryClient();
  const opening = useId();
  const { data, error, refetch } = useQuery<T, ApiError>({
    // Below the record's own key, so that what invalidates the record invalidates this too.
    queryKey: [...query.queryKey, 'opened', opening],
    queryFn: () => client.fetchQuery({ ...query, staleTime: 0 }),
    enabled: open,
    gcTime: 0,
  });
  return {
    record: data ?? given,
    isGone: error?.status === 404,
    // A failure is the form's to show: without the new values there is nothing to choose from.
    refetch: () => refetch({ throwOnError: true }),
    replace: (saved) => client.setQueryData(query.queryKey, saved),
  };
}
