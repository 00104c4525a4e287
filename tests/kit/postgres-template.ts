import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { claimHome } from '@talpa/instance/home';
import { holdLock } from '@talpa/instance/lock.mjs';
import { homeFolders } from '@talpa/instance/paths';
import { readSecrets } from '@talpa/instance/secrets';
import { startPostgres } from '../../launcher/stores/postgres.ts';

/** `npm test` says where, and removes it. */
const template = process.env.TALPA_TEST_TEMPLATE;

/**
 * Gives a new home a copy of an empty Postgres, with the seed of its passwords: initdb for each of a hundred homes
 * would take a minute of processor time. Without `npm test` the home's first start runs initdb as ever.
 */
export async function copyPostgres(home: string): Promise<void> {
  if (!template || process.env.DATABASE_URL) return;
  await ensureTemplate(template);
  const data = join(template, 'postgres');
  // It is elsewhere if its user has no access to the folder.
  if (!existsSync(data)) return;
  const { secrets } = homeFolders(home);
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  copyFileSync(join(homeFolders(template).secrets, 'store-seed'), join(secrets, 'store-seed'));
  await promisify(execFile)('cp', ['-a', data, join(home, 'postgres')]);
}

async function ensureTemplate(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const release = await holdLock(`${folder}.lock`);
  try {
    if (!existsSync(folder)) await makeTemplate(folder);
  } finally {
    release();
  }
}

async function makeTemplate(folder: string): Promise<void> {
  const draft = `${folder}.new`;
  mkdirSync(draft, { mode: 0o755 });
  const folders = homeFolders(draft);
  const release = await claimHome(folders, () => {});
  const secrets = readSecrets(folders.secrets);
  const { running } = await startPostgres(folders, secrets, { fast: true, patience: null }, () => {});
  await running.stop();
  release();
  renameSync(draft, folder);
}
