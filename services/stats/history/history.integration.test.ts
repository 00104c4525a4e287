import { randomUUID } from 'node:crypto';
import type { Measured, OriginRow, ProxyState, TrafficRow } from '@talpa/contracts';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { transactionsOf } from '@talpa/test-kit/transaction';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginRun, endRun } from '../totals/run.ts';
import { readTurns } from './events.ts';
import { readOrigin } from './origin.ts';
import { measuredOn, takeIn } from './receive.ts';
import { forgetHistory } from './retention.ts';
import { readFigures } from './traffic.ts';
import { readUptime } from './uptime.ts';

const stores = useStores();
let sql: Sql;
beforeAll(async () => {
  const urlOf = await newSchemas(stores, 'stats');
  sql = openDatabase(urlOf('stats'), 8);
});
afterAll(() => sql?.end());

const transaction = transactionsOf('stats', () => sql);
const receive = (...messages: Measured[]) => takeIn({ sql, transaction, alertAfterSeconds: 120 }, messages);

let proxyId = '';
let tunnelId = '';
beforeEach(() => {
  proxyId = randomUUID();
  tunnelId = randomUUID();
});
const state = (version: number, at: string, status: ProxyState['status'], deleted = false): Measured => ({
  kind: 'state',
  state: { proxyId, id: 7, userId: 8, version, at, status, tunnelId, deleted },
});
const sum = (quarter: string, version: number, requests: number): TrafficRow => ({
  tunnelId,
  quarter,
  version,
  requests,
  bytesIn: requests * 10,
  bytesOut: requests * 100,
  responses: { '1xx': 0, '2xx': requests, '3xx': 0, '4xx': 0, '5xx': 0 },
  unreachable: 0,
});

/** Another proxy on the same tunnel, which was the first one's alone before. */
async function newSibling(): Promise<string> {
  const sibling = randomUUID();
  const at = '2026-06-01T00:00:00.000Z';
  await receive(state(1, at, 'active'));
  await receive({
    kind: 'state',
    state: {
      ...{ proxyId: sibling, id: 9, userId: 10, version: 1, at },
      status: 'active',
      tunnelId,
      deleted: false,
    },
  });
  return sibling;
}

const now = new Date('2026-06-10T09:30:00Z');
const figures = () => readFigures(sql, proxyId, 'UTC', now);

describe('traffic', () => {
  it.each([1, 2, 3, 4])(
    'is the newest sums, in whatever order and how often they come (seed %i)',
    async (seed) => {
      const random = randomFrom(seed);
      const quarters = ['2026-06-10T08:00:00.000Z', '2026-06-10T08:15:00.000Z', '2026-06-09T23:45:00.000Z'];
      const reported = quarters.flatMap((quarter) =>
        [1, 2, 3].map((version) => sum(quarter, version, version * 7)),
      );
      const mixed = random.shuffle([...reported, ...reported]);
      await receive(state(1, '2026-06-01T00:00:00.000Z', 'active'));
      for (let at = 0; at < mixed.length; at += 6)
        await Promise.all([
          receive({ kind: 'traffic', rows: mixed.slice(at, at + 3) }),
          receive({ kind: 'traffic', rows: mixed.slice(at + 3, at + 6) }),
        ]);
      const { today, yesterday, last7Days, averageBytesADay } = await figures();
      expect([today.requests, yesterday.requests, last7Days.requests]).toEqual([42, 21, 63]);
      expect(averageBytesADay).toBe(Math.round((63 * 110) / 7));
      expect(today.responses['2xx']).toBe(42);
    },
  );

  it.each([
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
  ])(
    'and uptime are in the days that clocks there say, about ends of months and changes of the clock (%s)',
    async (timeZone) => {
      const random = randomFrom(35);
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
      const quarterMs = 900_000;
      for (let round = 0; round < 12; round++) {
        [proxyId, tunnelId] = [randomUUID(), randomUUID()];
        const at = new Date(
          Date.UTC(2026, random.below(12), random.below(4)) + random.below(50) * 1_801_000 + 1_000,
        );
        await receive(state(1, '2025-01-01T00:00:00.000Z', 'active'));
        const quarters = new Set(
          Array.from({ length: 150 }, () => {
            const before = random.chance(0.5) ? random.below(3 * 96) : random.below(34 * 96);
            return Math.floor(at.getTime() / quarterMs - before) * quarterMs;
          }),
        );
        const rows = [...quarters].map((quarter) =>
          sum(new Date(quarter).toISOString(), 1, 1 + random.below(9)),
        );
        await receive({ kind: 'traffic', rows });
        const dates = Array.from({ length: 30 }, (_, ago) => {
          const noon = new Date(`${clock.format(at)}T12:00:00Z`).getTime() - ago * 86_400_000;
          return new Date(noon).toISOString().slice(0, 10);
        }).reverse();
        const expected = dates.map((date) => {
          const ofDay = rows.filter(({ quarter }) => clock.format(new Date(quarter)) === date);
          return { date, requests: ofDay.reduce((all, { requests }) => all + requests, 0) };
        });
        const { days, last7Days } = await readFigures(sql, proxyId, timeZone, at);
        const about = at.toISOString();
        expect(
          days.map(({ date, requests }) => ({ date, requests })),
          about,
        ).toEqual(expected);
        expect(last7Days.requests, about).toBe(
          expected.slice(-7).reduce((all, { requests }) => all + requests, 0),
        );
        const { bars } = (await readUptime(sql, proxyId, timeZone, at)).last90d;
        expect(
          bars.slice(-30).map(({ from }) => clock.format(new Date(from))),
          about,
        ).toEqual(dates);
        for (const [index, { from, to, up }] of bars.entries()) {
          expect(up * 1_000, about).toBe(Date.parse(to) - Date.parse(from));
          expect(to, about).toBe(bars[index + 1]?.from ?? at.toISOString());
          expect(clock.format(new Date(Date.parse(from) - 1)), about).not.toBe(clock.format(new Date(from)));
        }
      }
    },
  );

  it('goes on when the tunnel is made anew, and may come before anybody knows whose it is', async () => {
    await receive({ kind: 'traffic', rows: [sum('2026-06-10T08:00:00Z', 1, 5)] });
    expect((await figures()).today.requests).toBe(0);
    await receive(state(1, '2026-06-01T00:00:00.000Z', 'active'));
    tunnelId = randomUUID();
    await receive(state(2, '2026-06-10T08:10:00.000Z', 'inactive'));
    await receive({ kind: 'traffic', rows: [sum('2026-06-10T08:00:00Z', 1, 6)] });
    expect((await figures()).today.requests).toBe(11);
  });

  it('is that of the proxy alone where a tunnel is shared, and goes on from what was counted by tunnel', async () => {
    const quarter = '2026-06-10T08:00:00.000Z';
    const sibling = await newSibling();
    // An edge of the version before, beside newer ones.
    await receive({ kind: 'traffic', rows: [sum(quarter, 9, 100)] });
    await receive({
      kind: 'traffic',
      rows: [
        { ...sum(quarter, 1, 7), tunnelId: proxyId },
        { ...sum(quarter, 1, 1), tunnelId: sibling },
      ],
    });
    expect((await figures()).today.requests).toBe(107);
    expect((await readFigures(sql, sibling, 'UTC', now)).today.requests).toBe(1);
  });
});

describe('the origin', () => {
  const report = (version: number, response: string | null, unreachable: string | null): OriginRow => ({
    tunnelId,
    version,
    lastResponseAt: response,
    lastStatus: response === null ? null : 200,
    lastUnreachableAt: unreachable,
  });

  it('is its last reported state, and the panel is notified when it changes', async () => {
    await receive(state(1, '2026-06-01T00:00:00.000Z', 'active'));
    const take = (row: OriginRow) => receive({ kind: 'origins', rows: [row] });
    expect((await readOrigin(sql, proxyId, now)).state).toBe('unknown');
    const first = '2026-06-10T09:00:00.000Z';
    const second = '2026-06-10T09:00:05.000Z';
    expect(await take(report(1, first, null))).toEqual([{ id: 7, userId: 8 }]);
    expect(await take(report(2, second, null))).toEqual([]);
    expect(await take(report(3, second, '2026-06-10T09:01:00.000Z'))).toEqual([{ id: 7, userId: 8 }]);
    expect(await take(report(2, second, null))).toEqual([]);
    expect(await readOrigin(sql, proxyId, now)).toEqual({
      state: 'unreachable',
      lastResponseAt: second,
      lastStatus: 200,
      lastUnreachableAt: '2026-06-10T09:01:00.000Z',
      problem: null,
      failures: 0,
    });
  });

  it('of two proxies on one tunnel is each one’s own: nobody is notified of the other’s', async () => {
    const sibling = await newSibling();
    const take = (whose: string, version: number, ...times: [string | null, string | null]) =>
      receive({ kind: 'origins', rows: [{ ...report(version, ...times), tunnelId: whose }] });
    const [first, second] = ['2026-06-10T09:00:00.000Z', '2026-06-10T09:05:00.000Z'];
    expect(await take(proxyId, 1, null, first)).toEqual([{ id: 7, userId: 8 }]);
    expect(await take(sibling, 1, first, null)).toEqual([{ id: 9, userId: 10 }]);
    await take(proxyId, 2, null, second);
    expect([await orders(proxyId), await orders(sibling), await orders()]).toEqual([
      [[false, '09:00:00']],
      [],
      [],
    ]);
    const states = [proxyId, sibling].map(async (whose) => (await readOrigin(sql, whose, now)).state);
    expect(await Promise.all(states)).toEqual(['unreachable', 'ok']);
  });

  it('has the problem that was found out since its last response, and the panel is notified of it', async () => {
    const take = (row: Partial<OriginRow> & { version: number }) =>
      receive({
        kind: 'origins',
        rows: [{ ...report(row.version, at('11:00:00'), at('11:01:00')), ...row }],
      });
    const problem = async () => (await readOrigin(sql, proxyId, now)).problem;
    await receive(state(1, '2026-06-01T00:00:00.000Z', 'active'));
    await take({ version: 101 });
    expect(await problem()).toBeNull();
    const found = { problem: 'certificate', problemAt: at('11:01:01') } as const;
    expect(await take({ version: 102, ...found })).toEqual([{ id: 7, userId: 8 }]);
    expect(await problem()).toBe('certificate');
    expect(await take({ version: 103, ...found })).toEqual([]);
    await take({ version: 104, ...found, lastResponseAt: at('11:02:00') });
    expect(await problem()).toBeNull();
    // A response may be the problem itself.
    const said = {
      problem: 'speaks_https',
      problemAt: at('11:03:00'),
      lastResponseAt: at('11:03:00'),
    } as const;
    await take({ version: 105, ...said });
    expect(await problem()).toBe('speaks_https');
  });

  /** What was ordered about this one: whether it responds, and since when. */
  const orders = async (whose = tunnelId) => {
    const rows = await sql<{ payload: { isReachable: boolean; since: string } }[]>`
      select payload from outbox
      where subject = ${commandSubject('notifications.storeOrigin')} and payload ->> 'tunnelId' = ${whose} order by id`;
    return rows.map(({ payload }) => [payload.isReachable, payload.since.slice(11, 19)]);
  };
  const at = (time: string | null) => time && `2026-06-10T${time}.000Z`;
  const takeAll = async (...rows: readonly (readonly [string | null, string | null])[]) => {
    for (const [index, [response, unreachable]] of rows.entries())
      await receive({ kind: 'origins', rows: [report(index + 1, at(response), at(unreachable))] });
  };

  it('that two requests so far apart do not reach is reported once, and once when it responds again', async () => {
    await takeAll(['09:00:00', null], ['09:00:00', '09:01:00'], ['09:00:00', '09:02:59']);
    expect(await orders()).toEqual([]);
    const outage = [
      ['09:00:00', null],
      ['09:00:00', '09:01:00'],
      ['09:00:00', '09:02:59'],
      ['09:00:00', '09:03:00'],
      ['09:00:00', '09:09:00'],
    ] as const;
    for (const _again of [1, 2]) await takeAll(...outage);
    expect(await orders()).toEqual([[false, '09:01:00']]);
    await takeAll(...outage, ['09:11:00', '09:09:00'], ['09:11:00', '09:12:00']);
    expect(await orders()).toEqual([
      [false, '09:01:00'],
      [true, '09:11:00'],
    ]);
  });

  it('that did not respond before a pause begins anew after it; what was reported ends when it responds', async () => {
    const paused = (version: number, isPaused: boolean): Measured => {
      const one = state(version, '2026-06-10T09:01:30.000Z', 'active');
      return one.kind === 'state' ? { ...one, state: { ...one.state, paused: isPaused } } : one;
    };
    const take = (version: number, response: string | null, unreachable: string | null) =>
      receive({
        kind: 'origins',
        rows: [{ ...report(version, at(response), at(unreachable)), tunnelId: proxyId }],
      });
    await take(1, '09:00:00', '09:01:00');
    await receive(paused(1, true), paused(2, false));
    await take(2, '09:00:00', '09:31:00');
    expect(await orders(proxyId)).toEqual([]);
    await take(3, '09:00:00', '09:34:00');
    await receive(paused(3, true), paused(4, false));
    await take(4, '10:00:00', '09:34:00');
    expect(await orders(proxyId)).toEqual([
      [false, '09:31:00'],
      [true, '10:00:00'],
    ]);
  });

  it('that responds in between is no outage', async () => {
    await takeAll([null, '09:00:00'], ['09:01:30', '09:01:40'], ['09:01:30', '09:03:30']);
    expect(await orders()).toEqual([]);
    await takeAll(
      ...([
        [null, '09:00:00'],
        ['09:01:30', '09:01:40'],
        ['09:01:30', '09:03:30'],
        ['09:01:30', '09:03:40'],
      ] as const),
    );
    expect(await orders()).toEqual([[false, '09:01:40']]);
    // A response and a failure measured together leave the outage as it is.
    await receive({ kind: 'origins', rows: [report(5, at('09:05:00'), at('09:05:01'))] });
    expect(await orders()).toHaveLength(1);
  });

  it('has failed as often as the last 24 hours say', async () => {
    await receive(state(1, '2026-06-01T00:00:00.000Z', 'active'));
    const failed = (quarter: string, unreachable: number) => ({ ...sum(quarter, 1, 9), unreachable });
    const rows = [failed('2026-06-10T08:00:00Z', 2), failed('2026-06-09T10:00:00Z', 3)];
    await receive({ kind: 'traffic', rows: [...rows, failed('2026-06-09T09:00:00Z', 50)] });
    expect((await readOrigin(sql, proxyId, now)).failures).toBe(5);
  });
});

describe('uptime', () => {
  const uptime = () => readUptime(sql, proxyId, 'UTC', now);

  it('is how long each state lasted, whatever the order of the reports', async () => {
    const reported = [
      state(1, '2026-06-01T00:00:00.000Z', 'active'),
      state(2, '2026-06-01T00:00:00.000Z', 'pending'),
      state(3, '2026-06-10T08:15:00.000Z', 'inactive'),
      state(4, '2026-06-10T08:30:00.000Z', 'active'),
    ];
    for (const one of [reported[3], reported[1], reported[0], reported[2], reported[1]])
      if (one) await receive(one);
    const { last24h, last7d, last90d } = await uptime();
    expect([last24h.bars.length, last7d.bars.length, last90d.bars.length]).toEqual([24, 7, 90]);
    expect(last24h.bars.slice(-2)).toEqual([
      {
        ...{ from: '2026-06-10T08:00:00.000Z', to: '2026-06-10T09:00:00.000Z' },
        ...{ up: 1_800, down: 900, unknown: 900 },
      },
      {
        ...{ from: '2026-06-10T09:00:00.000Z', to: now.toISOString() },
        ...{ up: 1_800, down: 0, unknown: 0 },
      },
    ]);
    expect(last24h.share).toBeCloseTo(3_600 / 4_500);
    expect(last7d.bars.at(-1)).toMatchObject({ from: '2026-06-10T00:00:00.000Z', up: 3_600, down: 900 });
  });

  it.each([1, 2, 3, 4])(
    'is the same when states come many at once, twice, in any order and to two processes (seed %i)',
    async (seed) => {
      const random = randomFrom(seed);
      const reported = Array.from({ length: 40 }, (_, at) =>
        state(
          at + 1,
          new Date(now.getTime() - (40 - at) * 60_000).toISOString(),
          at % 2 ? 'inactive' : 'active',
        ),
      );
      const mixed = random.shuffle([...reported, ...reported]);
      const concerned = await Promise.all([receive(...mixed.slice(0, 40)), receive(...mixed.slice(40))]);
      // A consumer that stored something notifies each affected user once.
      for (const whom of concerned) if (whom.length > 0) expect(whom).toEqual([{ id: 7, userId: 8 }]);
      const [row] = await sql<{ up: number; down: number }[]>`
        select count(*) filter (where state = 'up') as up, count(*) filter (where state = 'down') as down
        from states where proxy_id = ${proxyId}`;
      expect(row).toEqual({ up: 20, down: 20 });
      expect((await uptime()).last24h.share).toBe(0.5);
      expect(await receive(...reported)).toEqual([]);
    },
  );

  it('is neither up nor down while the proxy is paused, whatever its connector does', async () => {
    const paused = (version: number, time: string, status: ProxyState['status']): Measured => {
      const one = state(version, time, status);
      return one.kind === 'state' ? { ...one, state: { ...one.state, paused: true } } : one;
    };
    await receive(
      state(1, '2026-06-10T08:00:00.000Z', 'active'),
      paused(2, '2026-06-10T08:10:00.000Z', 'active'),
      paused(3, '2026-06-10T08:20:00.000Z', 'inactive'),
      paused(4, '2026-06-10T08:40:00.000Z', 'active'),
      state(5, '2026-06-10T08:50:00.000Z', 'inactive'),
    );
    const { bars, share } = (await uptime()).last24h;
    expect(bars.at(-2)).toMatchObject({ up: 600, down: 600, unknown: 2_400 });
    expect(share).toBeCloseTo(600 / 3_000);
  });

  it('is not known where a version is lacking, nor before there was any', async () => {
    expect((await uptime()).last90d.share).toBeNull();
    await receive(state(1, '2026-06-10T08:00:00.000Z', 'active'));
    await receive(state(3, '2026-06-10T09:00:00.000Z', 'active'));
    expect((await uptime()).last24h.bars.slice(-2)).toMatchObject([
      { up: 0, down: 0, unknown: 3_600 },
      { up: 1_800, down: 0, unknown: 0 },
    ]);
    await receive(state(2, '2026-06-10T08:20:00.000Z', 'inactive'));
    expect((await uptime()).last24h.bars.at(-2)).toMatchObject({ up: 1_200, down: 2_400, unknown: 0 });
  });

  it('is nothing before the first connection: no share of a proxy nobody ever connected, of others that since then', async () => {
    await receive(state(1, '2026-06-08T08:00:00.000Z', 'pending'));
    await receive(state(2, '2026-06-08T08:00:10.000Z', 'inactive'));
    await receive(state(3, '2026-06-09T08:00:00.000Z', 'error'));
    const never = await uptime();
    expect(never.firstConnectedAt).toBeNull();
    for (const { share, bars } of [never.last24h, never.last7d, never.last90d]) {
      expect(share).toBeNull();
      expect(bars.filter(({ up, down }) => up + down > 0)).toEqual([]);
    }
    const anHourAgo = '2026-06-10T08:30:00.000Z';
    await receive(state(4, anHourAgo, 'active'), state(5, '2026-06-10T09:15:00.000Z', 'inactive'));
    const since = await uptime();
    expect(since.firstConnectedAt).toBe(anHourAgo);
    for (const { share } of [since.last24h, since.last7d, since.last90d]) expect(share).toBe(0.75);
    expect(since.last24h.bars.at(-2)).toMatchObject({ up: 1_800, down: 0, unknown: 1_800 });
  });

  it('of a proxy whose tunnel is made anew goes on: down once it has been up, nothing if it has not', async () => {
    await receive(state(1, '2026-06-10T06:00:00.000Z', 'inactive'));
    tunnelId = randomUUID();
    await receive(state(2, '2026-06-10T07:00:00.000Z', 'pending'));
    await receive(state(3, '2026-06-10T07:00:00.000Z', 'inactive'));
    expect((await uptime()).last24h.share).toBeNull();
    await receive(state(4, '2026-06-10T07:30:00.000Z', 'active'));
    tunnelId = randomUUID();
    await receive(state(5, '2026-06-10T08:30:00.000Z', 'pending'));
    await receive(state(6, '2026-06-10T08:30:00.000Z', 'inactive'));
    expect((await uptime()).last24h.share).toBe(0.5);
  });
});

describe('the turns of a connector', () => {
  it('are when it came and when it went, the newest first; that it has not come yet is none', async () => {
    await receive(state(1, '2026-06-10T08:00:00.000Z', 'pending'));
    await receive(state(2, '2026-06-10T08:01:00.000Z', 'inactive'));
    await receive(state(3, '2026-06-10T08:02:00.000Z', 'active'));
    await receive(state(4, '2026-06-10T08:03:00.000Z', 'active'));
    await receive(state(5, '2026-06-10T08:04:00.000Z', 'pending'));
    await receive(state(6, '2026-06-10T08:05:00.000Z', 'inactive'));
    await receive(state(7, '2026-06-10T08:06:00.000Z', 'active'));
    const turn = (at: string, connected: boolean) => ({ kind: 'connector', at, connected });
    expect(await readTurns(sql, proxyId, 5)).toEqual([
      turn('2026-06-10T08:06:00.000Z', true),
      turn('2026-06-10T08:05:00.000Z', false),
      turn('2026-06-10T08:02:00.000Z', true),
    ]);
    expect(await readTurns(sql, proxyId, 1)).toEqual([turn('2026-06-10T08:06:00.000Z', true)]);
  });
});

describe('history', () => {
  it('is kept for its time, and the state at the beginning of it too', async () => {
    const day = (before: number) => new Date(now.getTime() - before * 86_400_000).toISOString();
    await receive(state(1, day(200), 'inactive'));
    await receive(state(2, day(100), 'active'));
    await receive(state(3, day(1), 'inactive'));
    await receive({ kind: 'traffic', rows: [sum(day(36), 1, 1), sum(day(34), 1, 1)] });
    await forgetHistory(sql, now);
    expect(await sql`select version from states where proxy_id = ${proxyId} order by 1`).toEqual([
      { version: 2 },
      { version: 3 },
    ]);
    expect(await sql`select 1 from traffic where tunnel_id = ${tunnelId}`).toHaveLength(1);
    const { last90d } = await readUptime(sql, proxyId, 'UTC', now);
    expect(last90d.bars[0]).toMatchObject({ up: 86_400, unknown: 0 });
  });

  it('keeps the first connection, without which a long outage would be the time before it', async () => {
    const day = (before: number) => new Date(now.getTime() - before * 86_400_000).toISOString();
    await receive(state(1, day(300), 'inactive'), state(2, day(280), 'active'));
    await receive(state(3, day(270), 'inactive'), state(4, day(260), 'active'));
    await receive(state(5, day(250), 'inactive'));
    await forgetHistory(sql, now);
    expect(await sql`select version from states where proxy_id = ${proxyId} order by 1`).toEqual([
      { version: 2 },
      { version: 5 },
    ]);
    const { firstConnectedAt, last90d } = await readUptime(sql, proxyId, 'UTC', now);
    expect(firstConnectedAt).toBe(day(280));
    expect(last90d.share).toBe(0);
  });

  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'shows the same after it was shortened, whatever there was (seed %i)',
    async (seed) => {
      const random = randomFrom(seed);
      const ends = Array.from({ length: 1 + random.below(8) }, () => random.below(200 * 1_440)).sort(
        (a, b) => b - a,
      );
      const statuses = ['active', 'inactive', 'pending', 'error'] as const;
      for (const [at, minutes] of ends.entries())
        await receive(
          state(at + 1, new Date(now.getTime() - minutes * 60_000).toISOString(), random.pick(statuses)),
        );
      const shown = () => readUptime(sql, proxyId, 'UTC', now);
      const before = await shown();
      await forgetHistory(sql, now);
      expect(await shown()).toEqual(before);
    },
  );

  it('of what is gone is forgotten when its time is over', async () => {
    await receive(state(1, '2026-01-01T00:00:00.000Z', 'active'));
    await receive(state(2, '2026-01-02T00:00:00.000Z', 'active', true));
    await forgetHistory(sql, now);
    for (const table of ['states', 'tunnels'])
      expect(await sql`select 1 from ${sql(table)} where proxy_id = ${proxyId}`).toEqual([]);
  });

  it('is not touched by a rebuild of the totals', async () => {
    await receive(state(1, '2026-06-10T09:00:00.000Z', 'active'));
    await receive({ kind: 'traffic', rows: [sum('2026-06-10T08:00:00Z', 1, 5)] });
    const run = await transaction(beginRun);
    await transaction((tx) => endRun(tx, run));
    expect((await figures()).today.requests).toBe(5);
    expect((await readUptime(sql, proxyId, 'UTC', now)).last24h.share).toBe(1);
  });
});

it('only proxies say what a proxy is, and only the edge what went through its tunnel', () => {
  const all: Measured[] = [
    state(1, '2026-06-01T00:00:00.000Z', 'active'),
    { kind: 'traffic', rows: [] },
    { kind: 'origins', rows: [] },
  ];
  const readFrom = (sender: string) =>
    all.flatMap((one) => {
      try {
        return measuredOn(`measured.${sender}`).parse(one).kind;
      } catch {
        return [];
      }
    });
  expect([readFrom('edge'), readFrom('proxies'), readFrom('auth')]).toEqual([
    ['traffic', 'origins'],
    ['state'],
    [],
  ]);
});
