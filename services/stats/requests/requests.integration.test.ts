import { randomUUID } from 'node:crypto';
import {
  type LoggedRequest,
  mostLoggedRequests,
  type ProxyState,
  type RequestLogMode,
} from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { transactionsOf } from '@talpa/test-kit/transaction';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { StatsContext } from '../context.ts';
import { takeIn } from '../history/receive.ts';
import { exportRequests } from './export.ts';
import { keepRequests } from './keep.ts';
import { createLiveRequests } from './live.ts';
import { keepModes } from './modes.ts';
import { keepPlans } from './plans.ts';
import { readRequestLog, readRequests } from './read.ts';
import { forgetRequests } from './retention.ts';

const stores = useStores();
let sql: Sql;
beforeAll(async () => {
  const urlOf = await newSchemas(stores, 'stats');
  sql = openDatabase(urlOf('stats'), 8);
});
afterAll(() => sql?.end());

const transaction = transactionsOf('stats', () => sql);
const liveRequests = createLiveRequests();
const context = () => ({ sql, reads: sql, liveRequests }) as unknown as StatsContext & { actor: null };

let proxyId = '';
let tunnelId = '';
let users = 0;
beforeEach(async () => {
  proxyId = randomUUID();
  tunnelId = randomUUID();
  users += 1;
  await become(1, 'metadata');
});

const stateOf = (version: number, requestLog?: RequestLogMode, deleted = false): ProxyState => ({
  ...{ proxyId, id: users, userId: users, version },
  // The first is old, the others are a second old.
  at: new Date(Date.now() - (version === 1 ? 60 * 86_400_000 : 1_000)).toISOString(),
  ...{ status: 'active', tunnelId, deleted },
  ...(requestLog ? { requestLog } : {}),
});
/** Its proxy gets to this version. */
const become = (...state: Parameters<typeof stateOf>) =>
  takeIn({ sql, transaction, alertAfterSeconds: 120 }, [{ kind: 'state', state: stateOf(...state) }]);

const request = (changes: Partial<LoggedRequest> = {}): LoggedRequest => ({
  ...{
    requestId: randomUUID(),
    at: new Date().toISOString(),
    method: 'GET',
    path: '/',
    status: 200,
    duration: 1,
  },
  ...{
    bytesIn: 0,
    bytesOut: 5_000_000_000,
    network: '203.0.113.0/24',
    agent: 'other',
    reason: null,
    rule: null,
  },
  ...changes,
});
/** @param whose what the edge says of it; the version before says the tunnel alone */
const keep = (
  entries: readonly LoggedRequest[],
  missed = 0,
  whose: { proxyId?: string; tunnelId: string } = { proxyId, tunnelId },
) =>
  transaction((tx) =>
    keepRequests(tx, {
      entries: entries.map((entry) => ({ ...entry, ...whose, at: Date.parse(entry.at) })),
      missed: missed ? [{ ...whose, count: missed }] : [],
    }),
  );
const list = async (filters: object = {}, mode: 'metadata' | 'live' = 'metadata') =>
  readRequests(context(), { proxyId, mode, days: 7, limit: 100, cursor: undefined, ...filters } as never);
const pathsOf = async (filters: object = {}) => (await list(filters)).requests.map(({ path }) => path);
const figures = () => readRequestLog(context(), { proxyId, days: 7 });

it.each(['off', 'live'] as const)(
  'a log that is %s stores nothing, whatever an edge hands on, and what it held is gone',
  async (mode) => {
    await keep([request()], 4);
    expect(await figures()).toEqual({ entries: 1, missed: 4 });
    await become(2, mode);
    // An edge that does not know it yet.
    await keep([request()], 1);
    expect(await sql`select 1 from requests where proxy_id = ${proxyId}`).toEqual([]);
    expect(await figures()).toEqual({ entries: 0, missed: 0 });
    // A message that was late switches nothing on again.
    await become(1, 'metadata');
    await keep([request()]);
    expect((await list()).requests).toEqual([]);
  },
);

it('of two proxies on one tunnel each has its own log, though edges of the version before know the tunnel alone', async () => {
  await keep([request({ path: '/old' })], 2, { tunnelId });
  const first = proxyId;
  proxyId = randomUUID();
  users += 1;
  await become(1, 'metadata');
  await keep([request({ path: '/of-sibling' })], 1);
  expect([await pathsOf(), await figures()]).toEqual([['/of-sibling'], { entries: 1, missed: 1 }]);
  await become(2, 'live');
  await liveRequests.add(sql, {
    entries: [first, proxyId].map((whose) => ({
      ...request({ path: `/${whose}` }),
      proxyId: whose,
      tunnelId,
      at: Date.now(),
    })),
    missed: [],
  });
  expect((await list({}, 'live')).requests.map(({ path }) => path)).toEqual([`/${proxyId}`]);
  proxyId = first;
  expect([await pathsOf(), await figures()]).toEqual([['/old'], { entries: 1, missed: 2 }]);
  expect((await list({}, 'live')).requests).toEqual([]);
});

it('a batch that comes while its log is being switched off leaves nothing', async () => {
  let storing: Promise<unknown> = Promise.resolve();
  await transaction(async (tx) => {
    await keepModes(tx.sql, [stateOf(2, 'off')]);
    storing = keep([request()]);
    await until('the batch to wait for the log', async () => {
      const waiting = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length > 0;
    });
  });
  await storing;
  expect(await sql`select 1 from requests where proxy_id = ${proxyId}`).toEqual([]);
});

it('a request that was made while the log was off is not stored when it is on again', async () => {
  const late = [request({ at: new Date(Date.now() - 5_000).toISOString() })];
  await become(2, 'off');
  await become(3, 'metadata');
  await keep(late);
  expect((await list()).requests).toEqual([]);
  await keep([request()]);
  expect((await list()).requests).toHaveLength(1);
});

it('the log of a deleted proxy is deleted, and stays so', async () => {
  await keep([request()]);
  await become(2, undefined, true);
  await keep([request()]);
  expect(await sql`select 1 from requests where proxy_id = ${proxyId}`).toEqual([]);
});

it('entries that come twice are stored once, and those of nobody known not at all', async () => {
  const entries = [request(), request()];
  await keep(entries);
  await keep([...entries, request()]);
  expect(await figures()).toMatchObject({ entries: 3 });
  const stranger = { proxyId: randomUUID(), tunnelId: randomUUID() };
  await keep([request()], 1, stranger);
  await keep([request()], 1, { tunnelId: stranger.tunnelId });
  expect(await sql`select 1 from requests where proxy_id = ${stranger.proxyId}`).toEqual([]);
  expect((await list()).requests).toHaveLength(3);
});

it('a log never holds more than 10 000 entries, the newest', async () => {
  const at = (index: number) => new Date(Date.now() - 3_600_000 + index).toISOString();
  for (let from = 0; from < mostLoggedRequests + 500; from += 500) {
    await keep(
      Array.from({ length: 500 }, (_, index) => request({ at: at(from + index), path: `/${from + index}` })),
    );
    const { entries } = await figures();
    expect(entries).toBeLessThanOrEqual(mostLoggedRequests);
    const [row] = await sql`select count(*) as count from requests where proxy_id = ${proxyId}`;
    expect(row?.count).toBe(entries);
  }
  expect(await pathsOf({ limit: 1 })).toEqual([`/${mostLoggedRequests + 499}`]);
});

it('entries are found by filters, the newest first, page by page', async () => {
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  await keep([
    request({ path: '/a', at: at(4) }),
    request({ path: '/a/b', at: at(3), method: 'POST', status: 404 }),
    request({ path: '/b_', at: at(2), status: 503, reason: 'no_connector' }),
    request({ path: '/bx', at: at(1), status: null }),
  ]);
  expect(await pathsOf()).toEqual(['/bx', '/b_', '/a/b', '/a']);
  expect(await pathsOf({ method: 'POST' })).toEqual(['/a/b']);
  expect(await pathsOf({ status: '5xx' })).toEqual(['/b_']);
  expect(await pathsOf({ reason: 'any' })).toEqual(['/b_']);
  expect(await pathsOf({ reason: 'timeout' })).toEqual([]);
  expect(await pathsOf({ path: '/b_' })).toEqual(['/b_']);
  expect(await pathsOf({ from: at(3.5), to: at(1.5) })).toEqual(['/b_', '/a/b']);
  const first = await list({ limit: 3 });
  expect(first.total).toBe('4');
  expect(await pathsOf({ limit: 3, cursor: first.next })).toEqual(['/a']);
});

it('a log that is live only is in memory, since it was switched on and for those who read it', async () => {
  await become(2, 'live');
  const add = (...entries: LoggedRequest[]) =>
    liveRequests.add(sql, {
      entries: entries.map((entry) => ({ ...entry, proxyId, tunnelId, at: Date.parse(entry.at) })),
      missed: [],
    });
  const before = new Date(Date.now() - 60_000).toISOString();
  expect(await add(request({ path: '/old', at: before }), request({ path: '/new' }))).toEqual([]);
  const { requests } = await list({ reason: undefined }, 'live');
  expect(requests.map(({ path }) => path)).toEqual(['/new']);
  // Somebody has read it: now they are notified.
  expect(await add(request({ path: '/newer' }))).toEqual([{ id: users, userId: users }]);
  expect((await list({ path: '/newer' }, 'live')).requests).toHaveLength(1);
  await become(3, 'metadata');
  await become(4, 'live');
  expect(await sql`select 1 from requests where proxy_id = ${proxyId}`).toEqual([]);
});

it('entries are kept as long as the plan and the operator say', async () => {
  const plan = (tier: 'enterprise' | 'free', version: number, expiresAt: string | null = null) =>
    transaction((tx) =>
      keepPlans(tx, [
        { id: users, tier, proxyLimit: 1, expiresAt, commandVersion: 0, version, deleted: false },
      ]),
    );
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const ages = async () => {
    const { requests } = await list({ days: 365 });
    return requests.map((one) => Math.round((Date.now() - Date.parse(one.at)) / 86_400_000));
  };
  await keep([6, 8, 20, 29, 31].map((days) => request({ at: at(days) })));
  await plan('enterprise', 1);
  await forgetRequests(sql, 365);
  expect(await ages()).toEqual([6, 8, 20, 29]);
  await forgetRequests(sql, 21);
  expect(await ages()).toEqual([6, 8, 20]);
  await plan('enterprise', 2, new Date(Date.now() - 1_000).toISOString());
  await forgetRequests(sql, 365);
  expect(await ages()).toEqual([6]);
  expect(await figures()).toMatchObject({ entries: 1 });
});

it('a user’s export has the entries of their own proxies alone', async () => {
  await keep([request({ path: '/mine' })]);
  const mine = users;
  proxyId = randomUUID();
  tunnelId = randomUUID();
  users += 1;
  await become(1, 'metadata');
  await keep([request({ path: '/theirs' })]);
  const { requests, next } = await exportRequests(context(), { userId: mine, after: null });
  expect(requests).toMatchObject([{ path: '/mine', proxyId: mine, bytesOut: 5_000_000_000 }]);
  expect(next).toBeNull();
});
