import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { storedProcess } from '@talpa/instance/child';
import { claimHome } from '@talpa/instance/home';
import type { Running } from '@talpa/instance/part';
import { homeFolders, root } from '@talpa/instance/paths';
import { readSecrets } from '@talpa/instance/secrets';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { temporaryHome } from '@talpa/test-kit/home';
import { expect, it } from 'vitest';
import { probeNats } from './probes.ts';
import { startStores } from './stores.ts';

/** Starts the stores of a home, works with them, and stops them. */
async function withStores<T>(
  home: string,
  work: (stores: Awaited<ReturnType<typeof startStores>>, said: string[]) => Promise<T>,
): Promise<T> {
  const folders = homeFolders(home);
  const said: string[] = [];
  const release = await claimHome(folders, (line) => said.push(line));
  const running: Running<unknown>[] = [];
  try {
    const stores = await startStores(folders, readSecrets(folders.secrets), {}, () => {}, running);
    return await work(stores, said);
  } finally {
    await Promise.all(running.map((part) => part.stop()));
    release();
  }
}

it('stores that take longer to recover than anything else may are waited for', async () => {
  const folders = homeFolders(temporaryHome());
  const release = await claimHome(folders, () => {});
  const running: Running<unknown>[] = [];
  const said: string[] = [];
  // None of them is ready within a millisecond.
  const patience = { askMs: 2_000, asks: 4, readyMs: 1 };
  await startStores(
    folders,
    readSecrets(folders.secrets),
    { fast: true, patience },
    (line) => said.push(line),
    running,
  );
  for (const name of ['postgres', 'nats', 'redis'])
    expect(said.some((line) => line.startsWith(`${name} has been starting for`))).toBe(true);
  await Promise.all(running.map((part) => part.stop()));
  release();
});

type Stores = Parameters<Parameters<typeof withStores>[1]>[0];

async function write(stores: Stores): Promise<void> {
  const sql = openDatabase(stores.adminUrl, 1);
  await sql.unsafe("create table kept (word text); insert into kept values ('mole')");
  await sql.end();
  const nc = await openBus(stores.natsUrl('operator'), 'operator');
  await (await jetstreamManager(streamsOf(nc))).streams.add({ name: 'kept', subjects: ['kept'] });
  await jetstream(streamsOf(nc)).publish('kept', 'mole');
  await nc.close();
}

async function read(stores: Stores): Promise<unknown[]> {
  const sql = openDatabase(stores.adminUrl, 1);
  const rows = await sql`select word from kept`;
  await sql.end();
  const nc = await openBus(stores.natsUrl('operator'), 'operator');
  const message = await (await jetstreamManager(streamsOf(nc))).streams.getMessage('kept', { seq: 1 });
  await nc.close();
  return [rows[0]?.word, message?.string()];
}

it('keeps rows and messages over a restart', async () => {
  const home = temporaryHome();
  await withStores(home, write);
  expect(await withStores(home, read)).toEqual(['mole', 'mole']);
});

it('takes a NATS whose streams are not made yet for one that answers', async () => {
  const home = temporaryHome();
  await withStores(home, ({ natsUrl }) => probeNats(natsUrl('operator'), homeFolders(home).nats));
});

it('finds the stores of a launcher that was killed, ends them and starts on their data', async () => {
  const home = temporaryHome();
  await withStores(home, write);
  const killed = spawn(process.execPath, [join(root, 'tests/kit/killed-launcher.ts'), home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(killed.stdout, 'data');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const folders = homeFolders(home);
  const left = ['postgres', 'nats', 'redis'].map((name) => storedProcess(folders, name));
  expect(left).not.toContain(null);

  const [found, said] = await withStores(home, async (stores, lines) => [await read(stores), lines]);
  expect(found).toEqual(['mole', 'mole']);
  expect(said).toEqual([expect.stringMatching(/^stopping what an earlier start left running: /)]);
  expect(['postgres', 'nats', 'redis'].map((name) => storedProcess(folders, name))).toEqual([
    null,
    null,
    null,
  ]);
});

it('lets nobody in without a password, and nobody but the owner read it', async () => {
  const home = temporaryHome();
  await withStores(home, async (stores) => {
    const url = new URL(stores.natsUrl('operator'));
    const anonymous = openBus(`nats://${url.host}`, 'nobody');
    await expect(anonymous).rejects.toThrow(/auth/i);
    const database = new URL(stores.adminUrl);
    database.password = 'wrong';
    const sql = openDatabase(database.href, 1);
    await expect(sql`select 1`).rejects.toThrow(/password authentication failed/);
    await sql.end();
    expect(statSync(join(home, 'nats/nats.conf')).mode & 0o777).toBe(0o600);
  });
});

it('starts below a folder whose name is too long for a socket', async () => {
  const home = join(temporaryHome(), 'a rather long name of a folder'.repeat(3));
  await withStores(home, write);
  expect(await withStores(home, read)).toEqual(['mole', 'mole']);
});

it('says what is wrong when data and secrets do not belong together', async () => {
  const home = temporaryHome();
  await withStores(home, async () => {});
  rmSync(join(home, 'secrets/store-seed'));
  await expect(withStores(home, async () => {})).rejects.toThrow(
    /different secrets than those in TALPA_HOME/,
  );
});
