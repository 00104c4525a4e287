import { rmSync } from 'node:fs';
import { claimHome } from '@talpa/instance/home';
import { homeFolders } from '@talpa/instance/paths';
import { readSecrets } from '@talpa/instance/secrets';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryHome } from '../home.ts';
import { until } from '../wait.ts';
import { createNetwork } from './network.ts';
import { type PostgresCluster, startPostgresCluster } from './postgres.ts';

const folders = homeFolders(temporaryHome());
const network = createNetwork();
let release = () => {};
let cluster: PostgresCluster;
let port: number;
beforeAll(async () => {
  release = await claimHome(folders, () => {});
  cluster = await startPostgresCluster(folders, readSecrets(folders.secrets), network);
  port = await cluster.service('client');
});
afterAll(async () => {
  await cluster?.stop();
  await network.close();
  release();
  rmSync(folders.home, { recursive: true, force: true });
});

/** Adds a row, as a client that gives up after a second does; once it returns, two servers have the row. */
const commit = (text: string) =>
  cluster.primary.ask(async (sql) => {
    await sql`create table if not exists notes (text text primary key)`;
    await sql`insert into notes values (${text}) on conflict do nothing`;
    return true;
  }, port);

it('takes commits without a primary that has become silent, though its standbys tried to reach it meanwhile', async () => {
  await commit('before');
  const { primary } = cluster;
  network.cut(primary.name);
  try {
    await until('another primary', () => cluster.primary !== primary);
    await until('a commit without it', () => commit('without'), 30_000).catch(async (error) => {
      throw new Error([error.message, ...(await cluster.report())].join('\n'));
    });
  } finally {
    network.heal(primary.name);
  }
  await until('all three again', () => cluster.isWhole());
  await commit('after');
  const rows = await cluster.primary.ask((sql) => sql<{ text: string }[]>`select text from notes order by 1`);
  expect(rows.map(({ text }) => text)).toEqual(['after', 'before', 'without']);
});
