import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, type LogLine } from '@talpa/instance/cli';
import { talpaCall } from '@talpa/instance/command-names';
import type { HomeFolders } from '@talpa/instance/paths';
import type { Secrets } from '@talpa/instance/secrets';
import { socketFolder } from './socket-folder.ts';

/** Holds the databases of homes that Postgres cannot enter. */
export const outside = '/var/lib/talpa';

/** Whom Postgres runs as; null means ourselves. */
export type StoreUser = { readonly uid: number; readonly gid: number } | null;

/** Postgres refuses root: as root it runs as the packages' own user. */
export function postgresUser(): StoreUser {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    throw new CliError(
      'Postgres refuses to run as root, and there is no user “postgres”. Create one: useradd -r postgres',
    );
  }
}

/**
 * Where Postgres keeps its data and its socket: the home, or, when its user cannot enter that (a clone under
 * /root), a folder outside, named by the home's secrets, so that it is found again wherever the home is moved to.
 */
export function postgresFolders(folders: HomeFolders, secrets: Secrets, user: StoreUser, log: LogLine) {
  const own = join(folders.home, 'postgres');
  const base = existsSync(own) || canEnter(folders.home, user) ? folders.home : outsideFolder(secrets);
  if (base !== folders.home) {
    claimFolder(base, folders.home);
    log(`the database is in ${base}, because its user has no access to ${folders.home}`);
  }
  return { data: join(base, 'postgres'), sockets: socketFolder(join(base, 'sockets'), user) };
}

/**
 * Earlier versions named the folder outside by the installation, whose name a restored backup brings along. Names it
 * as we do now; nothing may run on it.
 */
export function renameEarlierFolder({ home }: HomeFolders, secrets: Secrets): void {
  const { folder, earlier } = outsideNames(secrets);
  if (outsideFolder(secrets) === earlier && otherOwner(earlier, home) === null) renameSync(earlier, folder);
}

function outsideFolder(secrets: Secrets): string {
  const { folder, earlier } = outsideNames(secrets);
  return existsSync(earlier) && !existsSync(folder) ? earlier : folder;
}

/**
 * Named by what the password in the data is made of: no backup brings that along, so a restored home has a folder
 * of its own, beside the original's.
 */
function outsideNames({ installationId, storePassword }: Secrets) {
  const name = createHash('sha256').update(storePassword('postgres')).digest('hex').slice(0, 10);
  return { folder: join(outside, name), earlier: join(outside, installationId) };
}

function canEnter(folder: string, user: StoreUser): boolean {
  return user === null || spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0;
}

/** Refuses when another home that still exists has the folder: one is a copy of the other. */
function claimFolder(folder: string, home: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of [outside, folder]) chmodSync(path, 0o755);
  const owner = otherOwner(folder, home);
  if (owner)
    throw new CliError(
      `${home} is a copy of ${owner}. The database is outside both, in ${folder}, and belongs to ${owner}. ` +
        `For a second instance, or to test a backup, restore a backup into an empty TALPA_HOME: ${talpaCall} restore <folder>. ` +
        `To continue here instead, move ${owner} somewhere else. Do not delete it or the database.`,
    );
  writeFileSync(noteIn(folder), `${home}\n`);
}

const noteIn = (folder: string) => join(folder, 'belongs-to');

/** Another home that has the folder, and is still there. */
function otherOwner(folder: string, home: string): string | null {
  const note = noteIn(folder);
  const owner = existsSync(note) ? readFileSync(note, 'utf8').trim() : home;
  return owner !== home && existsSync(join(owner, 'secrets')) ? owner : null;
}
