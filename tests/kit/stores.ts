import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimHome } from '@talpa/instance/home';
import type { Running } from '@talpa/instance/part';
import { homeFolders } from '@talpa/instance/paths';
import { readSecrets } from '@talpa/instance/secrets';
import { openConnection } from '@talpa/service-kit/bus/connect';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { afterAll, beforeAll } from 'vitest';
import { type Stores, startStores } from '../../launcher/stores/stores.ts';
import { temporaryHome } from './home.ts';
import { copyPostgres } from './postgres-template.ts';
import { stopped, until } from './wait.ts';

export interface TestStores {
  readonly stores: Stores;
  /** A new, empty database on the test's Postgres; the URL of a superuser in it. */
  newDatabase(): Promise<string>;
  /** Has NATS read its configuration again, with one more user in it; ends when it has. */
  reloadNats(): Promise<void>;
  restartNats(): Promise<void>;
}

/** Starts Postgres, NATS and Redis alone before a file's tests and stops them after them. */
export function useStores(): TestStores {
  const folders = homeFolders(temporaryHome());
  const running: Running<unknown>[] = [];
  const databases: string[] = [];
  let stores: Stores | undefined;
  let release = () => {};
  const started = () => {
    if (!stores) throw new Error('the stores have not been started');
    return stores;
  };
  beforeAll(async () => {
    await copyPostgres(folders.home);
    release = await claimHome(folders, () => {});
    // Nobody has made NATS's streams here, without which it seems to hang and would be restarted.
    const options = { fast: true, patience: null };
    stores = await startStores(folders, readSecrets(folders.secrets), options, () => {}, running);
  });
  afterAll(async () => {
    // A Postgres that is not ours serves many test files.
    if (process.env.DATABASE_URL && stores) await dropDatabases(stores.adminUrl, databases);
    await Promise.all(running.map((part) => stopped(part.name, part.stop())));
    release();
    rmSync(folders.home, { recursive: true, force: true });
  });
  return {
    get stores() {
      return started();
    },
    restartNats: async () => {
      const nats = running.find(({ name }) => name === 'nats');
      if (!nats) throw new Error('there is no NATS of ours');
      await nats.restart();
    },
    newDatabase: async () => {
      const name = `test_${randomBytes(6).toString('hex')}`;
      const sql = openDatabase(started().adminUrl, 1);
      await sql.unsafe(`create database ${name}`);
      await sql.end();
      databases.push(name);
      const url = new URL(started().adminUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
    reloadNats: async () => {
      const file = join(folders.nats, 'nats.conf');
      const config = JSON.parse(readFileSync(file, 'utf8')) as { accounts: { BUS: { users: object[] } } };
      const [user, password] = ['one-more', randomBytes(6).toString('hex')];
      config.accounts.BUS.users.push({ user, password });
      writeFileSync(file, JSON.stringify(config));
      const pid = running.find(({ name }) => name === 'nats')?.pid();
      if (!pid) throw new Error('NATS is not ours');
      process.kill(pid, 'SIGHUP');
      const { host } = new URL(started().natsUrl('operator'));
      const nc = await until('the new user', () =>
        openConnection(`nats://${user}:${password}@${host}`, user),
      );
      await nc.close();
    },
  };
}

async function dropDatabases(adminUrl: string, names: readonly string[]): Promise<void> {
  const sql = openDatabase(adminUrl, 1);
  for (const name of names) await sql.unsafe(`drop database if exists ${name} with (force)`);
  await sql.end();
}
