import type { NatsConnection } from '@nats-io/transport-node';
import { useStores } from '@talpa/test-kit/stores';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openBus } from '../bus/connect.ts';
import { appliedSubject } from '../bus/subjects.ts';
import type { Log } from '../log.ts';
import { scrape } from '../telemetry/metrics.ts';
import { watchProjections } from './watch.ts';

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

const subject = appliedSubject('stats', 'user', '7');
const forged = ['no JSON', 'null', '[]', '{"version":3}', JSON.stringify({ ...snapshot, version: '3' })];
const warn = vi.fn();
const log = { warn } as unknown as Log;
/** Sends what cannot be read and then what can. @returns the versions that were understood */
async function sendForged(): Promise<Set<number>> {
  const watch = await watchProjections({ nc: auth, log }, 'user', 7, ['stats']);
  for (const one of forged) stats.publish(subject, one);
  stats.publish(subject, JSON.stringify(snapshot));
  // Without the last one it would wait for as long as it may.
  const seen: number[] = [];
  expect(await watch.reached(({ version }) => seen.push(version) > 0 && version >= 2, 60_000)).toBe(true);
  return new Set(seen);
}
async function counted(): Promise<number> {
  const line = /^talpa_unreadable_messages_total\{subject="applied\.stats\.user"\S*\} (\d+)$/m;
  return Number(line.exec(await scrape())?.[1] ?? 0);
}

it('messages of a captured service that are no snapshots end no wait, and no connection', async () => {
  expect(await sendForged()).toEqual(new Set([2]));
});

it('each message that cannot be read is counted, and one a minute of a kind is logged with its subject', async () => {
  // A whole number: a minute later is then exactly a minute later.
  const later = Math.ceil(performance.now()) + 61_000;
  const now = vi.spyOn(performance, 'now').mockReturnValue(later);
  warn.mockClear();
  const before = await counted();
  await sendForged();
  now.mockReturnValue(later + 59_000);
  await sendForged();
  expect(warn.mock.calls).toEqual([
    [expect.objectContaining({ subject }), 'message cannot be read: dropped'],
  ]);
  expect((await counted()) - before).toBe(2 * forged.length);
  now.mockReturnValue(later + 60_000);
  await sendForged();
  expect(warn).toHaveBeenCalledTimes(2);
  now.mockRestore();
});
