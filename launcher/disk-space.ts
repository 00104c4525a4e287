import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LogLine } from '@talpa/instance/cli';
import type { HomeFolders } from '@talpa/instance/paths';
import { watchSpace } from '@talpa/service-kit/disk';
import { readSettings } from '@talpa/service-kit/settings';
import { outside as databasesOutside } from './stores/postgres-folders.ts';

/** Where the stores of a home keep their data: in it, and the database perhaps outside. */
export function diskFoldersOf({ home }: HomeFolders, { DATABASE_URL }: NodeJS.ProcessEnv): string[] {
  const isOutside = !DATABASE_URL && !existsSync(join(home, 'postgres'));
  return isOutside ? [home, databasesOutside] : [home];
}

export const megabytes = (bytes: number) => `${Math.floor(bytes / 1_000_000)} MB`;

/** Says on the console when disk space is short, and when there is some again. @returns how to stop */
export function logWhenShort(
  folders: readonly string[],
  outside: NodeJS.ProcessEnv,
  log: LogLine,
): () => void {
  const settings = { DISK_FOLDERS: folders.join(','), ...readSettings(['DISK_RESERVE'], outside) };
  const watched = { ...settings, ...(outside.DISK_FOLDERS ? { DISK_FOLDERS: outside.DISK_FOLDERS } : {}) };
  const { stop } = watchSpace(watched, ({ isShort, freeBytes, reserveBytes }) =>
    log(
      isShort
        ? `disk space is short: ${megabytes(freeBytes)} are free at ${watched.DISK_FOLDERS}. Below ${megabytes(reserveBytes)} (DISK_RESERVE) ` +
            'no new proxies and accounts are created. Free up space; work resumes by itself'
        : `disk space is sufficient again (${megabytes(freeBytes)}): proxies and accounts can be created`,
    ),
  );
  return stop;
}
