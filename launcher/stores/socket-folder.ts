import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '@talpa/instance/cli';

/** A unix socket's path may have 107 bytes; the longest name of ours in the folder is Postgres's lock file. */
const longestFolder = 107 - '/.s.PGSQL.5432.lock'.length;

/** Makes a folder for a socket that only its owner can enter: the wished one, or one with a shorter path. */
export function socketFolder(wished: string, owner: { uid: number; gid: number } | null): string {
  const short = `talpa-${createHash('sha256').update(wished).digest('hex').slice(0, 16)}`;
  const fits = (path: string) => Buffer.byteLength(path) <= longestFolder;
  const folder = [wished, join(tmpdir(), short)].find(fits) ?? join('/tmp', short);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  // Every user may write to /tmp: another may have been there first.
  if (!found.isDirectory() || ![process.getuid?.(), owner?.uid].includes(found.uid))
    throw new CliError(`${folder} belongs to another user. Remove it first.`);
  chmodSync(folder, 0o700);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return folder;
}
