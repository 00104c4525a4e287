import { randomBytes } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { jsonOf, type Sql } from '@talpa/service-kit/database/sql';
import { readKeyRing } from '@talpa/service-kit/key-ring';
import { createLog } from '@talpa/service-kit/log';
import { seedOf } from '@talpa/test-kit/lengths';
import { type Random, randomFrom } from '@talpa/test-kit/requests/random';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Claim, claimDue, renewClaim, type Wanted } from './claim.ts';
import { createKeeper } from './keep.ts';
import { storeFailure, storeIssued } from './outcome.ts';
import type { ChallengeType, Failure } from './problems.ts';

const stores = useStores();
let sql: Sql;
beforeAll(async () => {
  const urlOf = await newSchemas(stores, 'tunnel-provider');
  sql = openDatabase(urlOf('tunnel-provider'), 8);
});
afterAll(() => sql?.end());
beforeEach(clear);
async function clear() {
  for (const table of ['certificates', 'acme_orders', 'dns_records']) await sql`delete from ${sql(table)}`;
}

const panel = 'panel.example.test';
const wildcard = '*.tunnel.example.test';
const [minutes, hours, days] = [1, 60, 1_440];

/** A certificate as it is stored; moments in minutes from now. */
interface Row {
  readonly name: string;
  readonly chain: string | null;
  readonly challenge: ChallengeType | null;
  readonly issuedAt: number;
  readonly attemptAt: number;
  readonly claimedUntil: number | null;
  /** Of its DNS record. */
  readonly record: 'tunnel' | 'plain' | 'none';
}
interface Order {
  readonly name: string;
  readonly at: number;
  readonly isRenewal: boolean;
  readonly succeeded: boolean;
}
interface World {
  readonly rows: readonly Row[];
  readonly orders: readonly Order[];
  readonly wanted: Wanted;
  readonly weeklyLimit: number;
}

function newWorld(random: Random): World {
  const names = [panel, wildcard, ...['a', 'b', 'c', 'd', 'e'].map((one) => `${one}.tunnel.example.test`)];
  const rows = [...names, 'kunde.example.test', 'tunnel.example.test'].map((name, place): Row => {
    const chain = random.chance(0.4) ? 'chain' : null;
    const edge = random.pick([null, 'http-01', 'tls-alpn-01'] as const);
    return {
      ...{ name, chain, challenge: name === wildcard && chain ? 'dns-01' : edge },
      // All different: equals have no order.
      issuedAt: -60 * days - place * hours,
      attemptAt: random.pick([-1, -1, -1, 1]) * (hours + place),
      claimedUntil: random.pick([null, null, -hours, hours]),
      record: random.pick(['tunnel', 'tunnel', 'tunnel', 'plain', 'none'] as const),
    };
  });
  const ages = [30 * minutes, 30 * minutes, 90 * minutes, 4 * hours, 3 * days, 7 * days + hours];
  const busy = random.pick(rows).name;
  const orders = Array.from({ length: random.below(24) }, (): Order => {
    const succeeded = random.chance(0.3);
    const name = random.chance(0.4) ? busy : random.pick(rows).name;
    return { name, at: -random.pick(ages), isRenewal: random.chance(0.3), succeeded };
  });
  const many = random.chance(0.1) ? 249 + random.below(2) : 0;
  const others = Array.from({ length: many }, (_, at) => ({
    ...{ name: `x${at}.example.test`, at: -2 * hours, isRenewal: true, succeeded: true },
  }));
  return {
    rows,
    orders: [...orders, ...others],
    wanted: { panel, wildcard: random.chance(0.5) ? wildcard : null },
    weeklyLimit: 1 + random.below(6),
  };
}

/** @returns the moment from which its minutes count */
async function store({ rows, orders }: World): Promise<Date> {
  await clear();
  return sql.begin(async (tx) => {
    await tx`
      insert into certificates (name, chain, challenge, not_before, attempt_at, claimed_until)
      select name, chain, challenge, now() + "issuedAt" * interval '1 minute', now() + "attemptAt" * interval '1 minute',
        now() + "claimedUntil" * interval '1 minute'
      from jsonb_to_recordset(${jsonOf(sql, rows)}) as one (name text, chain text, challenge text, "issuedAt" integer,
        "attemptAt" integer, "claimedUntil" integer)`;
    await tx`
      insert into acme_orders (name, is_renewal, succeeded, ordered_at)
      select name, "isRenewal", succeeded, now() + at * interval '1 minute'
      from jsonb_to_recordset(${jsonOf(sql, orders)}) as one (name text, "isRenewal" boolean, succeeded boolean, at integer)`;
    await tx`
      insert into dns_records (id, name, type, content, proxied, ttl)
      select name, name, 'CNAME', 'x', record = 'tunnel', 1
      from jsonb_to_recordset(${jsonOf(sql, rows)}) as one (name text, record text) where record <> 'none'`;
    const [row] = await tx<{ now: Date }[]>`select now()`;
    return row?.now as Date;
  });
}

interface Outcome {
  readonly claimed: readonly Pick<Claim, 'name' | 'challenge'>[];
  /** When each of the others is looked at again, in minutes. */
  readonly attempts: Readonly<Record<string, number>>;
}

/** What the rules say in words: which names are claimed one after the other, and how; what is beyond a limit waits for the oldest order. */
function expected({ rows, orders, wanted, weeklyLimit }: World): Outcome {
  const isExempt = (name: string) => name === wanted.panel || name === wanted.wildcard;
  const isCovered = (name: string) => wanted.wildcard !== null && name.endsWith(wanted.wildcard.slice(1));
  const within = (age: number) => orders.filter(({ at }) => at > -age);
  const week = within(7 * days).filter(({ isRenewal, succeeded }) => !isRenewal && succeeded);
  const hourOf = (name: string) => within(hours).filter((order) => order.name === name);
  const oldest = (some: readonly Order[]) => Math.min(...some.map(({ at }) => at));
  const isLive = ({ claimedUntil }: Row) => (claimedUntil ?? 0) > 0;
  const under = rows.filter((row) => row.chain === null && isLive(row)).length;
  const due = rows
    .filter((row) => row.attemptAt < 0 && !isLive(row))
    .filter(({ name, record }) => isExempt(name) || (record === 'tunnel' && !isCovered(name)))
    .filter(({ name }) => hourOf(name).length < 5)
    .toSorted(
      (a, b) =>
        Number(b.name === panel) - Number(a.name === panel) ||
        Number(a.chain !== null) - Number(b.chain !== null) ||
        a.attemptAt - b.attemptAt,
    );
  const lastThatWorked = rows
    .filter(({ chain, challenge }) => chain && challenge && challenge !== 'dns-01')
    .toSorted((a, b) => b.issuedAt - a.issuedAt)[0]?.challenge;
  const claimed: Pick<Claim, 'name' | 'challenge'>[] = [];
  let news = week.length + under;
  for (const { name, chain, challenge } of due) {
    if (within(3 * hours).length + claimed.length >= 250) break;
    if (chain === null && !isExempt(name) && news >= weeklyLimit) continue;
    if (chain === null) news += 1;
    const own = name === wanted.wildcard ? 'dns-01' : challenge;
    claimed.push({ name, challenge: own ?? lastThatWorked ?? 'http-01' });
  }
  const attemptOf = (row: Row) => {
    if (row.attemptAt < 0 && hourOf(row.name).length >= 5) return oldest(hourOf(row.name)) + hours;
    const isNew = row.chain === null && !isExempt(row.name);
    return isNew && due.includes(row) && week.length >= weeklyLimit ? oldest(week) + 7 * days : row.attemptAt;
  };
  const others = rows.filter(({ name }) => !claimed.some((one) => one.name === name));
  return { claimed, attempts: Object.fromEntries(others.map((row) => [row.name, attemptOf(row)])) };
}

const seed = seedOf('TALPA_CERTIFICATES_SEED', 35);

it('what is due is claimed in order, within the authority’s limits and ours, whatever was ordered before', async () => {
  const random = randomFrom(seed);
  for (let round = 0; round < 60; round++) {
    const world = newWorld(random);
    const from = await store(world);
    const claimed: Claim[] = [];
    for (let next: Claim | null | undefined; next !== null && claimed.length < 20; ) {
      next = await claimDue(sql, world.wanted, world.weeklyLimit);
      if (next) claimed.push(next);
    }
    const about = `seed ${seed}, round ${round}: ${JSON.stringify(world)}`;
    const plain = claimed.map(({ name, challenge }) => ({ name, challenge }));
    const rows = await sql<{ name: string; attemptAt: Date }[]>`
      select name, attempt_at from certificates where not name = any(${plain.map(({ name }) => name)})`;
    const minutesTo = (moment: Date) => (moment.getTime() - from.getTime()) / 60_000;
    const attempts = Object.fromEntries(rows.map(({ name, attemptAt }) => [name, minutesTo(attemptAt)]));
    expect({ claimed: plain, attempts }, about).toEqual(expected(world));
    const ids = sql.array(
      claimed.map(({ orderId }) => orderId),
      2950,
    );
    const stored = await sql`select id, is_renewal from acme_orders where id = any(${ids})`;
    expect(stored, about).toHaveLength(claimed.length);
    for (const { orderId, chain } of claimed)
      expect(stored.find(({ id }) => id === orderId)?.isRenewal, about).toBe(chain !== null);
  }
});

it('processes that claim at once claim each name once, and stay within the limits together', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `n${at}.tunnel.example.test`);
  await sql`insert into certificates (name) select unnest(${names}::text[])`;
  await sql`
    insert into dns_records (id, name, type, content, proxied, ttl)
    select name, name, 'CNAME', 'x', true, 1 from unnest(${names}::text[]) as name`;
  const claims = await Promise.all(
    Array.from({ length: 20 }, () => claimDue(sql, { panel, wildcard: null }, 7)),
  );
  const claimed = claims.flatMap((claim) => (claim ? [claim.name] : []));
  expect(claimed).toHaveLength(7);
  expect(new Set(claimed).size).toBe(7);
});

const failure = (problem: Failure['problem'], retryAfterMs?: number): Failure => ({
  ...{ problem, detail: problem },
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
/** Orders the panel's certificate and fails. @returns the pause in minutes, and the next challenge */
async function fail(last: Failure) {
  await sql`delete from acme_orders`;
  await sql`update certificates set attempt_at = least(attempt_at, now())`;
  const claim = await claimDue(sql, { panel, wildcard: null }, 40);
  if (!claim) throw new Error('nothing is due');
  await storeFailure(sql, claim, last);
  const [row] = await sql<{ pause: number; challenge: string; failures: number; isFree: boolean }[]>`
    select (extract(epoch from attempt_at - failed_at) / 60)::float8 as pause, challenge, failures,
      claimed_until is null as is_free
    from certificates where name = ${panel}`;
  expect(row?.isFree).toBe(true);
  return row;
}

it.each<[string, readonly (readonly [Failure, minutes: number])[]]>([
  [
    'longer and longer, up to half a day',
    [1, 5, 15, 60, 180, 720, 720].map((pause) => [failure('authority_failed'), pause] as const),
  ],
  [
    'as long as the authority says, a day at most where a limit is reached, else an hour',
    [
      [failure('rate_limited', 7_200_000), 120],
      [failure('rate_limited', 10 ** 9), 1_440],
      [failure('authority_failed', 1_800_000), 30],
      [failure('authority_failed', 7_200_000), 60],
      [failure('authority_failed', 1), 180],
    ],
  ],
  ['an hour where a limit is reached and no time is named', [[failure('rate_limited'), 60]]],
  [
    'not at all before the other port, which both together count as one failure',
    [
      [failure('port_closed'), 0],
      [failure('wrong_server'), 5],
      [failure('port_closed'), 0],
      [failure('port_closed'), 15],
      [failure('authority_failed'), 15],
    ],
  ],
])('after failures it pauses %s', async (_how, steps) => {
  await sql`insert into certificates (name) values (${panel})`;
  for (const [last, pause] of steps) expect((await fail(last))?.pause).toBe(pause);
});

it('a certificate that comes ends failures and pauses, and the one that worked is asked first from then on', async () => {
  await sql`insert into certificates (name) values (${panel})`;
  await fail(failure('authority_failed'));
  expect(await fail(failure('port_closed'))).toMatchObject({ challenge: 'tls-alpn-01', failures: 1 });
  const claim = await claimDue(sql, { panel, wildcard: null }, 40);
  if (!claim) throw new Error('the other port waits');
  const [notBefore, notAfter] = [new Date('2026-11-01'), new Date('2027-01-30')];
  const ring = readKeyRing(`k1:${randomBytes(32).toString('base64url')}`);
  await storeIssued(sql, ring, claim, { chain: 'chain', key: Buffer.from('key') }, { notBefore, notAfter });
  const [row] = await sql`
    select challenge, failures, problem, detail, failed_at, claimed_until, attempt_at from certificates`;
  expect(row).toEqual({
    ...{ challenge: 'tls-alpn-01', failures: 0, problem: null, detail: null },
    ...{ failedAt: null, claimedUntil: null, attemptAt: new Date('2026-12-31') },
  });
  expect(await sql`select succeeded from acme_orders where id = ${claim.orderId}`).toEqual([
    { succeeded: true },
  ]);
});

it('a claim that ends while it is renewed has ended', async () => {
  await sql`insert into certificates (name, claimed_until) values (${panel}, now())`;
  const locked = await sql.reserve();
  await locked`begin`;
  await locked`update certificates set claimed_until = null`;
  const renewed = renewClaim(sql, { name: panel });
  await until('it to wait', async () => {
    const [waiting] = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waiting;
  });
  await locked`commit`;
  locked.release();
  await renewed;
  expect(await sql`select claimed_until from certificates`).toEqual([{ claimedUntil: null }]);
});

it('a process that has stopped writes nothing more, whatever it was asked before', async () => {
  const keys = readKeyRing(`k1:${randomBytes(32).toString('base64url')}`);
  const keeper = createKeeper({
    ...{ sql, accountKeys: keys, certificateKeys: keys, log: createLog('test', 'silent') },
    settings: { ACME_DIRECTORY: 'http://127.0.0.1:1', ACME_EMAIL: 'a@example.test', ACME_WEEKLY_LIMIT: 40 },
    wanted: { panel, wildcard: null },
    solverOf: () => {
      throw new Error('nothing is due');
    },
  });
  const locked = await sql.reserve();
  await locked`begin`;
  await locked`lock table certificates in exclusive mode`;
  keeper.hint();
  await until('it to write', async () => {
    const [waiting] = await sql`
      select from pg_locks where relation = 'certificates'::regclass and not granted`;
    return waiting;
  });
  const ended: string[] = [];
  const stopped = keeper.stop().then(() => ended.push('stopped'));
  await sql`select`;
  const endedBefore = [...ended];
  await locked`commit`;
  locked.release();
  await stopped;
  expect(endedBefore).toEqual([]);
  expect(await sql`select name from certificates`).toEqual([{ name: panel }]);
});
