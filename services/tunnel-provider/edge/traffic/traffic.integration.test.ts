import { randomUUID } from 'node:crypto';
import { openDatabase, type Sql } from '@talpa/service-kit/database/connect';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newSchemas } from '../../../../tests/kit/schemas.ts';
import { useStores } from '../../../../tests/kit/stores.ts';
import { originSignal, trafficFigures } from './figures.ts';
import { flushTraffic, forgetOldTraffic } from './store.ts';
import { createTraffic } from './traffic.ts';

const stores = useStores();
let sql: Sql;
beforeAll(async () => {
  const urlOf = await newSchemas(stores, 'provider');
  sql = openDatabase(urlOf('provider'), 8);
});
afterAll(() => sql.end());

/** Counts one answer with so many bytes, and stores it as of that time. */
async function flushAt(time: string, tunnelId: string, bytesOut: number, status = 200) {
  const traffic = createTraffic();
  const one = traffic.of(tunnelId);
  one.requests += 1;
  one.bytesOut += bytesOut;
  one.answers[status === 502 ? 4 : 1] += 1;
  if (status === 502) {
    one.unreachable += 1;
    one.lastUnreachableAt = Date.parse(time);
  } else {
    one.lastAnswerAt = Date.parse(time);
    one.lastStatus = status;
  }
  await flushTraffic(sql, traffic, Date.parse(time));
}

it('adds up what several edges counted at the same time, of many tunnels', async () => {
  const tunnels = Array.from({ length: 50 }, () => randomUUID());
  const edges = Array.from({ length: 6 }, (_, edge) => {
    const traffic = createTraffic();
    for (const id of edge % 2 ? tunnels : tunnels.toReversed()) {
      traffic.of(id).requests += 1;
      traffic.of(id).bytesIn += 5_000_000_000;
    }
    return traffic;
  });
  const at = Date.now();
  await Promise.all(edges.map((traffic) => flushTraffic(sql, traffic, at)));
  const rows = await sql`
    select requests, bytes_in, version from traffic where tunnel_id = any(${tunnels}::uuid[])`;
  expect(rows).toHaveLength(50);
  for (const row of rows) expect(row).toEqual({ requests: 6, bytesIn: 30_000_000_000, version: 6 });
});

it('counts again what could not be stored, and loses nothing', async () => {
  const traffic = createTraffic();
  const id = randomUUID();
  traffic.of(id).requests += 3;
  const closed = openDatabase('postgres://nobody@127.0.0.1:1/nothing', 1);
  await expect(flushTraffic(closed, traffic)).rejects.toThrow();
  await closed.end();
  traffic.of(id).requests += 4;
  await flushTraffic(sql, traffic);
  expect((await trafficFigures(sql, id, 'UTC')).today.requests).toBe(7);
  expect(traffic.take().size).toBe(0);
});

it('knows today, yesterday and the last seven days of the installation’s time zone', async () => {
  const id = randomUUID();
  // Berlin is two hours ahead of UTC in June: its 10th begins at 22:00 UTC of the 9th.
  await flushAt('2026-06-10T08:00:00Z', id, 1);
  await flushAt('2026-06-09T22:00:00Z', id, 10);
  await flushAt('2026-06-09T21:59:00Z', id, 100);
  await flushAt('2026-06-08T12:00:00Z', id, 1_000);
  await flushAt('2026-06-04T00:00:00Z', id, 10_000);
  await flushAt('2026-06-03T21:00:00Z', id, 100_000);
  const now = new Date('2026-06-10T09:00:00Z');
  const figures = await trafficFigures(sql, id, 'Europe/Berlin', now);
  expect(figures.today.bytesOut).toBe(11);
  expect(figures.yesterday.bytesOut).toBe(100);
  expect(figures.dayBeforeYesterday.bytesOut).toBe(1_000);
  expect(figures.last7Days.bytesOut).toBe(11_111);
  expect(figures.averageBytesADay).toBe(Math.round(11_111 / 7));
  expect((await trafficFigures(sql, id, 'UTC', now)).today.bytesOut).toBe(1);
  expect((await trafficFigures(sql, randomUUID(), 'UTC')).last7Days.requests).toBe(0);
});

it('remembers the origin’s last answer, however the edges’ reports arrive', async () => {
  const id = randomUUID();
  expect(await originSignal(sql, id)).toEqual({
    lastAnswerAt: null,
    lastStatus: null,
    lastUnreachableAt: null,
  });
  await flushAt('2026-06-10T08:00:05Z', id, 1, 204);
  await flushAt('2026-06-10T08:00:01Z', id, 1, 500);
  await flushAt('2026-06-10T08:00:09Z', id, 1, 502);
  expect(await originSignal(sql, id)).toEqual({
    lastAnswerAt: new Date('2026-06-10T08:00:05Z'),
    lastStatus: 204,
    lastUnreachableAt: new Date('2026-06-10T08:00:09Z'),
  });
  expect((await trafficFigures(sql, id, 'UTC', new Date('2026-06-10T09:00:00Z'))).today.unreachable).toBe(1);
});

it('forgets what is older than two weeks, and nothing else', async () => {
  const id = randomUUID();
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await flushAt(daysAgo(15), id, 1);
  await flushAt(daysAgo(13), id, 1);
  await forgetOldTraffic(sql);
  expect(await sql`select 1 from traffic where tunnel_id = ${id}`).toHaveLength(1);
});
