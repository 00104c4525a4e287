import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useStores } from '../../../tests/kit/stores.ts';
import { openBus } from '../bus/connect.ts';
import { appliedSubject } from '../bus/subjects.ts';
import { watchCopies } from './watch.ts';

const stores = useStores();
let auth: NatsConnection;
let stats: NatsConnection;
beforeAll(async () => {
  auth = await openBus(stores.stores.natsUrl('auth'), 'auth');
  stats = await openBus(stores.stores.natsUrl('stats'), 'stats');
});
afterAll(() => Promise.all([auth?.close(), stats?.close()]));

const snapshot = {
  ...{ id: 7, username: 'carla', isAdmin: false, createdAt: new Date().toISOString(), suspension: null },
  ...{ version: 2, deleted: false },
};

it('messages of a captured service that are no snapshots end no wait, and no connection', async () => {
  const watch = await watchCopies(auth, 'user', 7, ['stats']);
  const subject = appliedSubject('stats', 'user', '7');
  for (const forged of [
    'no JSON',
    'null',
    '[]',
    '{"version":3}',
    JSON.stringify({ ...snapshot, version: '3' }),
  ])
    stats.publish(subject, forged);
  stats.publish(subject, JSON.stringify(snapshot));
  // Without the last one it would wait for as long as it may.
  const seen: number[] = [];
  expect(await watch.reached(({ version }) => seen.push(version) > 0 && version >= 2, 60_000)).toBe(true);
  expect(new Set(seen)).toEqual(new Set([2]));
});
