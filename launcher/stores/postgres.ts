import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { HomeFolders } from '../paths.ts';
import { PlainError, type Say } from '../say.ts';
import { type Running, supervise } from '../supervisor.ts';
import { findProgram } from '../system-packages.ts';
import type { StoreOptions } from './options.ts';

const superuser = 'talpa';
const database = 'talpa';
/** Postgres's own limit for a unix socket's path is 107 bytes. */
const longestSocketFolder = 107 - '/.s.PGSQL.5432'.length;

/** Our own Postgres, reachable through a unix socket alone. */
export interface OwnPostgres {
  readonly running: Running<null>;
  /** postgres://… of its superuser. */
  readonly url: string;
}

/** Starts Postgres on its data folder, making it first where it is missing. */
export async function startPostgres(
  folders: HomeFolders,
  options: StoreOptions,
  say: Say,
): Promise<OwnPostgres> {
  const program = findProgram('postgres');
  if (!program) throw new PlainError('postgres is not installed.');
  const user = postgresUser();
  const base = reachableFolder(folders.home, user, say);
  const data = join(base, 'postgres');
  const sockets = socketFolder(base, user);
  if (!existsSync(data)) makeCluster(dirname(program), data, user, options.password);
  const url = `postgres://${superuser}:${encodeURIComponent(options.password)}@localhost/postgres?host=${encodeURIComponent(sockets)}`;
  const fast = options.fast
    ? ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']
    : [];
  const running = await supervise<null>(
    {
      name: 'postgres',
      command: () => ({
        name: 'postgres',
        file: program,
        args: ['-D', data, '-k', sockets, '-c', 'listen_addresses=', '-c', 'max_connections=150', ...fast],
        // Its parent folders may be closed to it; its own is not.
        cwd: data,
        ...(user ? { user } : {}),
      }),
      ready: () => untilAnswers(url),
      // Fast shutdown: SIGTERM would wait for every client.
      stopSignal: 'SIGINT',
    },
    folders,
    say,
  );
  const target = new URL(url);
  target.pathname = `/${database}`;
  await ensureDatabase(url);
  return { running, url: target.href };
}

/** Postgres refuses root: as root it runs as the packages' own user. */
function postgresUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    throw new PlainError(
      'Postgres refuses to run as root, and there is no user `postgres`. Make one: useradd -r postgres',
    );
  }
}

/** The home itself, or, when the user cannot enter it (a clone under /root), a folder that it can. */
function reachableFolder(home: string, user: { uid: number; gid: number } | null, say: Say): string {
  if (!user || canEnter(home, user)) return home;
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 10);
  const folder = join('/var/lib/talpa', hash);
  mkdirSync(folder, { recursive: true });
  chmodSync('/var/lib/talpa', 0o755);
  writeFileSync(join(folder, 'belongs-to'), `${home}\n`);
  say(`the database lies in ${folder}: its user cannot enter ${home}`);
  return folder;
}

function canEnter(folder: string, user: { uid: number; gid: number }): boolean {
  return spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0;
}

function socketFolder(base: string, user: { uid: number; gid: number } | null): string {
  const wished = join(base, 'sockets');
  const fits = Buffer.byteLength(wished) <= longestSocketFolder;
  const folder = fits ? wished : mkdtempSync('/tmp/talpa-');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}

/** Made beside its place and then renamed, so that a half-made one is never used. */
function makeCluster(
  bin: string,
  data: string,
  user: { uid: number; gid: number } | null,
  password: string,
): void {
  const draft = `${data}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  if (user) chownSync(draft, user.uid, user.gid);
  const passwordFile = `${data}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const made = spawnSync(
    join(bin, 'initdb'),
    [
      '-D',
      draft,
      '-U',
      superuser,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ],
    { encoding: 'utf8', cwd: '/', ...(user ?? {}) },
  );
  rmSync(passwordFile);
  if (made.status !== 0) throw new PlainError(`initdb failed: ${made.stderr || made.error?.message}`);
  renameSync(draft, data);
}

async function untilAnswers(url: string): Promise<null> {
  for (;;) {
    const sql = openDatabase(url, 1);
    try {
      await sql`select 1`;
      return null;
    } catch {
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
