import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HomeFolders } from '../paths.ts';
import { PlainError, type Say } from '../say.ts';
import { socketFolder } from './socket-folder.ts';

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
    throw new PlainError(
      'Postgres refuses to run as root, and there is no user “postgres”. Make one: useradd -r postgres',
    );
  }
}

/**
 * Where Postgres keeps its data and its socket: the home, or, when its user cannot enter that (a clone under
 * /root), a folder named by the installation, so that it is found again wherever the home is moved to.
 */
export function postgresFolders(folders: HomeFolders, installationId: string, user: StoreUser, say: Say) {
  const own = join(folders.home, 'postgres');
  const base =
    existsSync(own) || canEnter(folders.home, user) ? folders.home : join('/var/lib/talpa', installationId);
  if (base !== folders.home) {
    claimFolder(base, folders.home);
    say(`the database lies in ${base}, because its user cannot enter ${folders.home}`);
  }
  return { data: join(base, 'postgres'), sockets: socketFolder(join(base, 'sockets'), user) };
}

function canEnter(folder: string, user: StoreUser): boolean {
  return user === null || spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0;
}

/** Refuses when another home that still exists has this installation's id: one is a copy of the other. */
function claimFolder(folder: string, home: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of ['/var/lib/talpa', folder]) chmodSync(path, 0o755);
  const note = join(folder, 'belongs-to');
  const owner = existsSync(note) ? readFileSync(note, 'utf8').trim() : home;
  if (owner !== home && existsSync(join(owner, 'secrets')))
    throw new PlainError(
      `${home} and ${owner} are the same installation; its database in ${folder} can serve only one. Remove one of them.`,
    );
  writeFileSync(note, `${home}\n`);
}
