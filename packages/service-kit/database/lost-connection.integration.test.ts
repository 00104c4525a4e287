import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from './connect.ts';
import { listenForSilence } from './silence.ts';
import type { Sql, TransactionSql } from './sql.ts';

const stores = useStores();
const sockets = listenForSilence();
/** One connection, so that the next transaction gets the one that has replaced a lost one. */
let pool: Sql;
let outside: Sql;
beforeAll(async () => {
  const url = await stores.newDatabase();
  outside = openDatabase(url, 2);
  await outside`create table things (name text primary key)`;
  pool = openDatabase(url, 1, false, sockets);
});
afterAll(async () => {
  await Promise.all([pool, outside].map((sql) => sql?.end({ timeout: 1 })));
  sockets.stop();
});
beforeEach(() => outside`delete from things`);

const stored = async () =>
  (await outside<{ name: string }[]>`select name from things order by name`).map(({ name }) => name);
const insert = (tx: TransactionSql, name: string) => tx`insert into things (name) values (${name})`;
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  );

/** A transaction that has written a row and waits for its turn, and what became of it. */
async function paused(name: string, then: (tx: TransactionSql) => Promise<unknown> = async () => {}) {
  const turn = Promise.withResolvers<void>();
  const written = Promise.withResolvers<number>();
  const over = Promise.withResolvers<string>();
  const ended = outcome(
    pool.begin(async (tx) => {
      await insert(tx, name);
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      written.resolve(row?.pid ?? 0);
      await turn.promise;
      const work = then(tx);
      over.resolve(outcome(work));
      return work;
    }),
  );
  return { pid: await written.promise, go: () => turn.resolve(), over: over.promise, ended };
}

const kill = (pid: number) => outside`select pg_terminate_backend(${pid})`;
const served = () => until('the pool is served again', async () => (await pool`select 1`).length === 1);

describe('a transaction whose connection is lost', () => {
  it.each<[string, (tx: TransactionSql) => Promise<unknown>]>([
    ['statement', (tx) => insert(tx, 'after')],
    ['text as it is', (tx) => tx.unsafe("insert into things (name) values ('after')")],
    ['savepoint', (tx) => tx.savepoint((inner) => inner`insert into things (name) values ('after')`)],
  ])('runs no later %s on the connection that replaces it', async (_what, then) => {
    const lost = await paused('before', then);
    await kill(lost.pid);
    expect(await lost.ended).toBe('CONNECTION_CLOSED');
    await served();
    lost.go();
    expect(await lost.over).toBe('CONNECTION_CLOSED');
    await served();
    expect(await stored()).toEqual([]);
  });

  it('runs none before there is another connection either, and ends no process by it', async () => {
    const lost = await paused('before', (tx) => insert(tx, 'after'));
    await kill(lost.pid);
    expect(await lost.ended).toBe('CONNECTION_CLOSED');
    lost.go();
    expect(await lost.over).toBe('CONNECTION_CLOSED');
    await served();
    expect(await stored()).toEqual([]);
  });

  it('is refused at the statement during which it is lost', async () => {
    const sleeping = await paused('before', (tx) => tx`select pg_sleep(60)`);
    sleeping.go();
    await until('it sleeps', async () => {
      const [row] = await outside`
        select 1 from pg_stat_activity where pid = ${sleeping.pid} and wait_event = 'PgSleep'`;
      return row;
    });
    await kill(sleeping.pid);
    expect(await sleeping.over).toBe('CONNECTION_CLOSED');
    expect(await sleeping.ended).toBe('CONNECTION_CLOSED');
    await served();
    expect(await stored()).toEqual([]);
  });

  it('does not commit another’s transaction by its own end', async () => {
    const lost = await paused('lost');
    await kill(lost.pid);
    expect(await lost.ended).toBe('CONNECTION_CLOSED');
    await served();
    const next = await paused('next', () => Promise.reject(new Error('refused')));
    lost.go();
    expect(await lost.over).toBe('done');
    expect(await stored()).toEqual([]);
    next.go();
    expect(await next.ended).toBe('Error: refused');
    expect(await stored()).toEqual([]);
  });

  it('does not roll another’s transaction back by its own failure', async () => {
    const lost = await paused('lost', () => Promise.reject(new Error('refused')));
    await kill(lost.pid);
    expect(await lost.ended).toBe('CONNECTION_CLOSED');
    await served();
    const next = await paused('next', (tx) => insert(tx, 'next, too'));
    lost.go();
    expect(await lost.over).toBe('Error: refused');
    next.go();
    expect(await next.ended).toBe('done');
    expect(await stored()).toEqual(['next', 'next, too']);
  });
});
