import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, type LogLine } from '@talpa/instance/cli';
import { inheritedByStores } from '@talpa/instance/inherited';
import type { Running } from '@talpa/instance/part';
import type { HomeFolders } from '@talpa/instance/paths';
import type { Secrets } from '@talpa/instance/secrets';
import { findProgram } from '@talpa/instance/system-packages';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { supervise } from '../supervision/supervisor.ts';
import type { StoreOptions } from './options.ts';
import { postgresFolders, postgresUser, renameEarlierFolder, type StoreUser } from './postgres-folders.ts';
import { probePostgres } from './probes.ts';

const superuser = 'talpa';
const database = 'talpa';
/** Names the socket's file; said everywhere, because PGPORT in the environment would change it. */
const port = 5432;

/** Our own Postgres, reachable through a unix socket alone. */
export interface OwnPostgres {
  readonly running: Running<null>;
  /** postgres://… of its superuser. */
  readonly url: string;
}

/** Starts Postgres on its data folder, making it first where it is missing. */
export async function startPostgres(
  folders: HomeFolders,
  secrets: Secrets,
  { fast, patience, signal }: StoreOptions,
  log: LogLine,
): Promise<OwnPostgres> {
  const program = findProgram('postgres');
  if (!program) throw new CliError('postgres is not installed.');
  const user = postgresUser();
  renameEarlierFolder(folders, secrets);
  const { data, sockets } = postgresFolders(folders, secrets, user, log);
  if (!existsSync(data)) makeCluster(dirname(program), data, user, secrets.storePassword('postgres'), fast);
  const urlOf = (name: string) => postgresUrl(secrets, sockets, name);
  const settings = {
    listen_addresses: '',
    port,
    unix_socket_directories: sockets,
    max_connections: 300,
    ...(fast ? { fsync: 'off', full_page_writes: 'off' } : {}),
  };
  const running = await supervise<null>(
    {
      name: 'postgres',
      recovers: true,
      signal,
      command: () => ({
        name: 'postgres',
        file: program,
        args: ['-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
        // Its parent folders may be closed to it; its own is not.
        cwd: data,
        ...(user ? { user } : {}),
      }),
      ready: async (_child, ended) => {
        await untilAnswers(urlOf('postgres'), ended);
        await ensureDatabase(urlOf('postgres'));
        return null;
      },
      probe: (_facts, _child, signal) => probePostgres(urlOf('postgres'), signal),
      // Fast shutdown: SIGTERM would wait for every client.
      stopSignal: 'SIGINT',
    },
    folders,
    log,
    patience,
  );
  return { running, url: urlOf(database) };
}

function postgresUrl(secrets: Secrets, sockets: string, name: string): string {
  const password = secrets.storePassword('postgres');
  return `postgres://${superuser}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(sockets)}`;
}

/** postgres://… of the superuser of the Postgres that another launcher runs on this home. */
export function ownPostgresUrl(folders: HomeFolders, secrets: Secrets): string {
  const { sockets } = postgresFolders(folders, secrets, postgresUser(), () => {});
  return postgresUrl(secrets, sockets, database);
}

/** Made beside its place and then renamed, so that a half-made one is never used. */
function makeCluster(bin: string, data: string, user: StoreUser, password: string, fast = false): void {
  const draft = `${data}.new`;
  const passwordFile = `${data}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [draft, passwordFile]) chownSync(path, user.uid, user.gid);
  const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8'];
  if (fast) options.push('--no-sync');
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', draft, '-U', superuser, `--pwfile=${passwordFile}`, ...options],
    { encoding: 'utf8', cwd: '/', env: inheritedByStores(process.env), ...(user ?? {}) },
  );
  rmSync(passwordFile);
  if (made.status !== 0)
    throw new CliError(`initdb failed: ${(made.stderr || made.error?.message || '').trim()}`);
  renameSync(draft, data);
}

/** @throws Error when it answers that the password is wrong: that will not get better. */
async function untilAnswers(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const sql = openDatabase(url, 1);
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === '28P01')
        throw new Error('it was created with different secrets than those in TALPA_HOME/secrets');
      await sleep(50);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const sql = openDatabase(url, 1);
  try {
    const [known] = await sql`select 1 from pg_database where datname = ${database}`;
    if (!known) await sql.unsafe(`create database ${database}`);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
