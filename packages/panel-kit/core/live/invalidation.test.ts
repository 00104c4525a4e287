import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { proxyQuery } from '../api/queries.ts';
import { createInvalidator, invalidatedQueries } from './invalidation.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('asks for a shown proxy at each change of it, and no more once it is gone, however many messages follow', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let status = 500;
  const ask = vi.fn(() => Promise.reject(new ApiError('Nicht gefunden', { status })));
  const page = new QueryObserver(client, { ...proxyQuery(7), queryFn: ask });
  const leave = page.subscribe(() => {});
  const refetch = createInvalidator(client);
  const change = async () => {
    refetch.these(invalidatedQueries({ type: 'health', scope: 'shared', id: 7, userId: 1 }) ?? []);
    await vi.runAllTimersAsync();
  };
  await change();
  expect(ask).toHaveBeenCalledTimes(2);
  status = 404;
  for (let message = 0; message < 3; message++) await change();
  expect(ask).toHaveBeenCalledTimes(3);
  leave();
  refetch.stop();
});
