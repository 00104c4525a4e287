import { setTimeout as sleep } from 'node:timers/promises';
import { createNetwork } from '@talpa/test-kit/cluster/network';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from './connect.ts';
import { isDatabaseUnavailable } from './errors.ts';
import { listenForSilence } from './silence.ts';

const stores = useStores();
const network = createNetwork();
const sockets = listenForSilence(1_000);
/** Which server the name leads to now: both are the same Postgres. */
let server = 'first';
let url = '';
beforeAll(async () => {
  const parsed = new URL(stores.stores.adminUrl);
  const path = `${parsed.searchParams.get('host')}/.s.PGSQL.5432`;
  const port = await network.link('service', () => ({ node: server, path }));
  parsed.searchParams.delete('host');
  parsed.host = `127.0.0.1:${port}`;
  url = parsed.href;
});
afterAll(async () => {
  sockets.stop();
  await network.close();
});

it('when its server vanishes without a word, a pool lets nobody wait for ever and finds the next one at once', async () => {
  const sql = openDatabase(url, 4, false, sockets);
  const askAll = () => Promise.allSettled(Array.from({ length: 4 }, () => sql`select pg_sleep(0.05)`));
  const isServed = ({ status }: PromiseSettledResult<unknown>) => status === 'fulfilled';
  expect((await askAll()).every(isServed)).toBe(true);
  network.cut('first');
  server = 'second';
  const [asked] = await Promise.allSettled([sql`select 1`]);
  expect(asked).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEDOUT' } });
  expect(asked.status === 'rejected' && isDatabaseUnavailable(asked.reason)).toBe(true);
  // The three that were at rest have gone with it: no other query waits for one of them.
  await until('all queries are served', async () => (await askAll()).every(isServed));
  network.heal('first');
  await sql.end({ timeout: 1 });
});

it('a process that stood still for longer than that closes no connection', async () => {
  const sql = openDatabase(url, 1, false, sockets);
  const pid = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const before = await pid();
  // Two checks later the response no longer counts as just received.
  await sleep(1_000 / 8);
  // Nothing else runs in this process meanwhile: no timer, and no response is read.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  // The overdue check runs now, before anything that has arrived is read.
  await sleep(0);
  expect(await pid()).toBe(before);
  await sql.end({ timeout: 1 });
});
