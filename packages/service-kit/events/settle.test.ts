import type { JsMsg } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { settler } from './settle.ts';

/** A message that was delivered so often, and what was said of it to the server. */
function delivered(deliveryCount: number, said: unknown[]): JsMsg {
  return {
    ...{ info: { deliveryCount }, subject: 'numbers.1', headers: undefined },
    ack: () => said.push('done'),
    nak: (ms?: number) => said.push(ms),
  } as unknown as JsMsg;
}

it('a message that cannot be handled comes again after a pause that doubles, half a minute at most', async () => {
  const handle = () => Promise.reject(new Error('not now'));
  const settle = settler(
    { stream: 'NUMBERS', durable: 'test', handle },
    createLog('test', 'silent'),
    () => false,
  );
  const said: unknown[] = [];
  for (let count = 1; count <= 10; count += 1) await settle([delivered(count, said)]);
  expect(said).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
  // Of several each has its own pause.
  said.length = 0;
  await settle([delivered(1, said), delivered(3, said)]);
  expect(said).toEqual([200, 800]);
});
