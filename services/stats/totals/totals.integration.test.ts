import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { transactionsOf } from '@talpa/test-kit/transaction';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Counted, count } from './count.ts';
import { readTotals } from './get.ts';
import { beginRun, endRun, Overtaken, takePage } from './run.ts';

const test = useStores();
let sql: Sql;
beforeAll(async () => {
  const urlOf = await newSchemas(test, 'stats');
  sql = openDatabase(urlOf('stats', 'owner'), 4);
});
afterAll(() => sql?.end());
beforeEach(async () => {
  await sql`truncate counted`;
  await sql`update totals set value = 0`;
  await sql`update totals_state set known = true`;
});

const transaction = transactionsOf('stats', () => sql);
const receive = (...events: Counted[]) => transaction((tx) => count(tx, events));

/** Lives of rows: every state each has been in, oldest first, by its event. */
function someLives(random: ReturnType<typeof randomFrom>): Counted[][] {
  return Array.from({ length: 12 }, (_, number) => {
    const kind = random.chance(0.5) ? 'user' : 'proxy';
    const length = 1 + random.below(4);
    const ends = random.chance(0.4);
    return Array.from({ length }, (_, at): Counted => {
      const present = !(ends && at === length - 1);
      const active = present && kind === 'proxy' && random.chance(0.5);
      return { kind, id: String(number), version: at + 1, present, active };
    });
  });
}

function truthOf(rows: readonly Counted[]) {
  const living = rows.filter(({ present }) => present);
  return {
    totalUsers: living.filter(({ kind }) => kind === 'user').length,
    totalProxies: living.filter(({ kind }) => kind === 'proxy').length,
    activeProxies: living.filter(({ active }) => active).length,
  };
}
const lastOf = (lives: readonly Counted[][]) => lives.flatMap((life) => life.slice(-1));
/** What owners say of the rows that are there: of those that are gone they know nothing. */
const ownersSay = (lives: readonly Counted[][]) => lastOf(lives).filter(({ present }) => present);

const seeds = Array.from({ length: 12 }, (_, seed) => seed);

describe('the totals', () => {
  it.each(seeds)('are right after any order and repetition of events (seed %i)', async (seed) => {
    const random = randomFrom(seed);
    const lives = someLives(random);
    const events = random.shuffle([...lives.flat(), ...lives.flat().filter(() => random.chance(0.3))]);
    for (let at = 0; at < events.length; at += 4)
      await Promise.all(events.slice(at, at + 4).map((event) => receive(event)));
    expect(await readTotals(sql)).toEqual(truthOf(lastOf(lives)));
  });

  it.each(seeds)('are right when events come many at once, to three processes (seed %i)', async (seed) => {
    const random = randomFrom(200 + seed);
    const lives = someLives(random);
    const events = random.shuffle([...lives.flat(), ...lives.flat()]);
    // All of them hold the same rows at the same time: taken in another order they would wait for each other.
    for (let at = 0; at < events.length; at += 30)
      await Promise.all([0, 10, 20].map((part) => receive(...events.slice(at + part, at + part + 10))));
    expect(await readTotals(sql)).toEqual(truthOf(lastOf(lives)));
  });

  it.each(seeds)('are right after lost events, a rebuild and late events (seed %i)', async (seed) => {
    const random = randomFrom(100 + seed);
    const lives = someLives(random);
    const events = random.shuffle(lives.flat());
    const isLost = new Map(events.map((event) => [event, random.chance(0.5)]));
    await receive(...events.filter((event) => !isLost.get(event)));
    await sql`update totals set value = value + ${random.below(5)}`;
    const run = await transaction(beginRun);
    for (const row of random.shuffle(ownersSay(lives))) await transaction((tx) => takePage(tx, run, [row]));
    await transaction((tx) => endRun(tx, run));
    expect(await readTotals(sql)).toEqual(truthOf(lastOf(lives)));
    // Late and repeated events of rows that were known revive nothing.
    const known = await sql<{ id: string }[]>`select id from counted`;
    const late = events.filter(({ id }) => known.some((row) => row.id === id));
    for (const event of random.shuffle(late)) await receive(event);
    expect(await readTotals(sql)).toEqual(truthOf(lastOf(lives)));
  });

  it('count what happens during a rebuild, before and after the owner was asked', async () => {
    const alive = (id: string, version: number): Counted => ({
      kind: 'user',
      id,
      version,
      present: true,
      active: false,
    });
    const gone = (id: string, version: number): Counted => ({ ...alive(id, version), present: false });
    await receive(alive('1', 1));
    const run = await transaction(beginRun);
    await receive(gone('1', 2));
    await receive(alive('2', 1));
    await transaction((tx) => takePage(tx, run, [alive('1', 1), alive('3', 1)]));
    await receive(gone('3', 2));
    await receive(alive('4', 1));
    await transaction((tx) => endRun(tx, run));
    expect(await readTotals(sql)).toMatchObject({ totalUsers: 2 });
  });

  it('are not returned while they are not known, and a rebuild that was overtaken ends nothing', async () => {
    const first = await transaction(beginRun);
    await expect(readTotals(sql)).rejects.toMatchObject({ code: 'service_unavailable' });
    const second = await transaction(beginRun);
    await expect(transaction((tx) => endRun(tx, first))).rejects.toBeInstanceOf(Overtaken);
    await expect(readTotals(sql)).rejects.toMatchObject({ code: 'service_unavailable' });
    await transaction((tx) => endRun(tx, second));
    expect(await readTotals(sql)).toMatchObject({ totalUsers: 0 });
  });
});
