import { randomUUID } from 'node:crypto';
import type { Measured } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { createLog } from '@talpa/service-kit/log';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { holdJobs, until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { publishMeasured } from './publish-measurements.ts';
import { flushTraffic, forgetOldTraffic, keepTraffic } from './store.ts';
import { createTraffic } from './traffic.ts';

const stores = useStores();
let sql: Sql;
beforeAll(async () => {
  const urlOf = await newSchemas(stores, 'tunnel-provider', 'edge');
  sql = openDatabase(urlOf('edge'), 8);
});
afterAll(() => sql.end());

/** Counts one response with so many bytes, and stores it as of that time. */
async function flushAt(time: string, proxyId: string, bytesOut: number, status = 200) {
  const traffic = createTraffic();
  const one = traffic.of(proxyId);
  one.requests += 1;
  one.bytesOut += bytesOut;
  one.responses[status === 502 ? 4 : 1] += 1;
  if (status === 502) {
    one.unreachable += 1;
    one.lastUnreachableAt = Date.parse(time);
  } else {
    one.lastResponseAt = Date.parse(time);
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
  expect(await sql`select requests from traffic where tunnel_id = ${id}`).toEqual([{ requests: 7 }]);
  expect(traffic.take().size).toBe(0);
});

it('keeps the origin’s last response, whatever the order of the edges’ reports', async () => {
  const id = randomUUID();
  await flushAt('2026-06-10T08:00:05Z', id, 1, 204);
  await flushAt('2026-06-10T08:00:01Z', id, 1, 500);
  await flushAt('2026-06-10T08:00:09Z', id, 1, 502);
  const [origin] = await sql`
    select last_response_at, last_status, last_unreachable_at, version from origins where tunnel_id = ${id}`;
  expect(origin).toEqual({
    lastResponseAt: new Date('2026-06-10T08:00:05Z'),
    lastStatus: 204,
    lastUnreachableAt: new Date('2026-06-10T08:00:09Z'),
    version: 3,
  });
  expect(await sql`select unreachable from traffic where tunnel_id = ${id}`).toEqual([{ unreachable: 1 }]);
});

it('forgets what is older than two weeks, and nothing else', async () => {
  const id = randomUUID();
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await flushAt(daysAgo(15), id, 1);
  await flushAt(daysAgo(13), id, 1);
  await forgetOldTraffic(sql);
  expect(await sql`select 1 from traffic where tunnel_id = ${id}`).toHaveLength(1);
});

it('publishes each sum until it has arrived, and again when it has grown', async () => {
  await publishMeasured(sql, async () => {});
  const id = randomUUID();
  const published: Measured[] = [];
  const publish = () => publishMeasured(sql, async (what) => void published.push(what));
  await flushAt('2026-06-10T08:00:05Z', id, 5);
  await expect(publishMeasured(sql, () => Promise.reject(new Error('the bus is away')))).rejects.toThrow(
    'away',
  );
  await publish();
  expect(published).toMatchObject([
    { kind: 'traffic', rows: [{ tunnelId: id, version: 1, bytesOut: 5, responses: { '2xx': 1, '5xx': 0 } }] },
    { kind: 'origins', rows: [{ tunnelId: id, version: 1, lastStatus: 200, lastUnreachableAt: null }] },
  ]);
  await publish();
  expect(published).toHaveLength(2);
  // What is added during the publication is published the next time.
  await flushAt('2026-06-10T08:00:06Z', id, 1);
  await publishMeasured(sql, async ({ kind }) => {
    if (kind === 'traffic') await flushAt('2026-06-10T08:00:07Z', id, 1);
  });
  published.length = 0;
  await publish();
  expect(published[0]).toMatchObject({ rows: [{ tunnelId: id, version: 3, bytesOut: 7 }] });
});

it('publishes more rows than fit into a message, by one edge at a time', async () => {
  await publishMeasured(sql, async () => {});
  const traffic = createTraffic();
  for (let count = 0; count < 1_200; count += 1) traffic.of(randomUUID()).requests += 1;
  await flushTraffic(sql, traffic);
  const sizes: number[] = [];
  const publish = async (what: Measured) => void sizes.push(what.kind === 'state' ? 0 : what.rows.length);
  await Promise.all([publishMeasured(sql, publish), publishMeasured(sql, publish)]);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_200);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
});

it('what is wrong with an origin is news once, however many visitors meet it', () => {
  const traffic = createTraffic();
  let turns = 0;
  traffic.onTurn = () => {
    turns += 1;
  };
  for (const problem of ['speaks_https', 'speaks_https', 'closes', 'closes'] as const)
    traffic.trackProblem('p1', problem);
  expect([turns, traffic.take().get('p1')?.problem]).toEqual([2, 'closes']);
  traffic.trackProblem('p1', 'closes');
  expect([turns, traffic.take().get('p1')?.problem]).toEqual([2, 'closes']);
});

it('an origin that has turned says so once, and is stored without waiting for the usual time', async () => {
  onTestFinished(holdJobs(5_000));
  const traffic = createTraffic();
  onTestFinished(keepTraffic(sql, traffic, createLog('edge', 'silent')));
  const { onTurn } = traffic;
  let turns = 0;
  traffic.onTurn = () => {
    turns += 1;
    onTurn();
  };
  const proxyId = randomUUID();
  for (const [at, state] of (['ok', 'ok', 'unreachable', 'unreachable', 'ok'] as const).entries()) {
    const one = traffic.of(proxyId);
    if (state === 'ok') Object.assign(one, { lastResponseAt: at + 1, lastStatus: 200 });
    else one.lastUnreachableAt = at + 1;
    traffic.trackOrigin(proxyId, state);
    if (at % 2 === 0)
      await until('it is stored', async () => {
        const [row] = await sql<{ last: number }[]>`
          select (extract(epoch from greatest(last_response_at, last_unreachable_at)) * 1000)::integer as last
          from origins where tunnel_id = ${proxyId}`;
        return row?.last === at + 1;
      });
  }
  expect(turns).toBe(3);
});
