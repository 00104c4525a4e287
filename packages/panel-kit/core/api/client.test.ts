import { QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { createQueryClient } from './client.ts';

const queryKey = ['/api/things'];

/** A query whose responses come when the test says so. */
function heldQuery() {
  const client = createQueryClient();
  const responses: PromiseWithResolvers<string>[] = [];
  const queryFn = () => {
    const response = Promise.withResolvers<string>();
    responses.push(response);
    return response.promise;
  };
  const observe = () => new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  const respond = (index: number, text: string) => responses[index]?.resolve(text);
  return { client, responses, observe, respond, shown: () => client.getQueryData(queryKey) };
}

it('what becomes out of date while it is fetched for the first time is fetched again', async () => {
  const { client, responses, observe, respond, shown } = heldQuery();
  observe();
  const renewed = client.invalidateQueries({ queryKey });
  respond(0, 'as it was');
  await vi.waitFor(() => expect(responses).toHaveLength(2));
  respond(1, 'as it is');
  await renewed;
  expect(shown()).toBe('as it is');
  expect(responses).toHaveLength(2);
});

it('what becomes out of date while its first fetch fails is fetched again', async () => {
  const { client, responses, observe, respond, shown } = heldQuery();
  observe();
  const renewed = client.invalidateQueries({ queryKey });
  responses[0]?.reject(new Error('away'));
  await vi.waitFor(() => expect(responses).toHaveLength(2));
  respond(1, 'as it is');
  await renewed;
  expect(shown()).toBe('as it is');
});

it('what becomes out of date while it is fetched and nobody looks any more is fetched again for who looks next', async () => {
  const { client, responses, observe, respond, shown } = heldQuery();
  const leave = observe();
  respond(0, 'before');
  await vi.waitFor(() => expect(shown()).toBe('before'));
  void client.invalidateQueries({ queryKey });
  await vi.waitFor(() => expect(responses).toHaveLength(2));
  leave();
  await client.invalidateQueries({ queryKey });
  respond(1, 'as it was');
  await vi.waitFor(() =>
    expect(client.getQueryState(queryKey)).toMatchObject({ data: 'as it was', isInvalidated: true }),
  );
  expect(responses).toHaveLength(2);
  observe();
  await vi.waitFor(() => expect(responses).toHaveLength(3));
  respond(2, 'as it is');
  await vi.waitFor(() => expect(shown()).toBe('as it is'));
});

it('what becomes out of date again while it is fetched anew is fetched once more, not twice', async () => {
  const { client, responses, observe, respond, shown } = heldQuery();
  observe();
  respond(0, 'before');
  await vi.waitFor(() => expect(shown()).toBe('before'));
  const renewed = [client.invalidateQueries({ queryKey }), client.invalidateQueries({ queryKey })];
  await vi.waitFor(() => expect(responses).toHaveLength(3));
  respond(1, 'as it was');
  respond(2, 'as it is');
  await Promise.all(renewed);
  expect(shown()).toBe('as it is');
  expect(responses).toHaveLength(3);
});
