import { createServer, connect as dial } from 'node:net';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { freePort } from '@talpa/test-kit/ports';
import { useStores } from '@talpa/test-kit/stores';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectBus, openBus } from '../bus/connect.ts';
import { openDatabase, waitForDatabase } from '../database/connect.ts';
import { createLog } from '../log.ts';

const stores = useStores();

/** The processes of a test, and when one of them says that it waits for a store. */
function waitingProcess() {
  const log = createLog('test', 'silent');
  const { promise: waits, resolve } = Promise.withResolvers<string>();
  vi.spyOn(log, 'warn').mockImplementation((...given: unknown[]) => resolve(String(given.at(-1))));
  const { lifecycle, stop } = newProcess(log);
  onTestFinished(stop);
  return { lifecycle, waits };
}

/** A way to a store that nobody answers at before `open`. */
async function closedWay(to: { host: string; port: number } | { path: string }) {
  const port = await freePort();
  const server = createServer((socket) => {
    const onward = dial(to as { path: string });
    for (const one of [socket, onward]) one.on('error', () => {});
    socket.pipe(onward).pipe(socket);
  });
  onTestFinished(() => void server.close());
  return { port, open: () => server.listen(port, '127.0.0.1') };
}

it('a process that starts before NATS waits for it, and says so once', async () => {
  const url = new URL(stores.stores.natsUrl('operator'));
  const way = await closedWay({ host: url.hostname, port: Number(url.port) });
  url.port = String(way.port);
  const { lifecycle, waits } = waitingProcess();
  const connected = connectBus(url.href, 'operator', lifecycle);
  expect(await waits).toBe('NATS cannot be reached: waiting up to 20 s for it');
  way.open();
  expect((await connected).isClosed()).toBe(false);
  expect(lifecycle.log.warn).toHaveBeenCalledTimes(1);
});

it('a process that starts before Postgres waits for it, and says so once', async () => {
  const url = new URL(stores.stores.adminUrl);
  const folder = url.searchParams.get('host');
  const way = await closedWay(
    folder ? { path: `${folder}/.s.PGSQL.5432` } : { host: url.hostname, port: Number(url.port || 5432) },
  );
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${way.port}`;
  const { lifecycle, waits } = waitingProcess();
  const sql = openDatabase(url.href, 1);
  onTestFinished(() => sql.end());
  const selected = waitForDatabase(sql, lifecycle);
  expect(await waits).toBe('Postgres cannot be reached: waiting up to 20 s for it');
  way.open();
  await selected;
  expect(lifecycle.log.warn).toHaveBeenCalledTimes(1);
});

it('a process that NATS does not let in ends at once', async () => {
  const url = new URL(stores.stores.natsUrl('operator'));
  url.password = 'wrong';
  const { lifecycle } = waitingProcess();
  await expect(connectBus(url.href, 'operator', lifecycle)).rejects.toThrow(/authorization/i);
  expect(lifecycle.log.warn).not.toHaveBeenCalled();
  await expect(openBus(url.href, 'operator')).rejects.toThrow(/authorization/i);
});
