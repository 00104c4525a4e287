import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, level by level: below some folders of the system (/proc) Node's
 * `recursive` tries for ever.
 * @param mode of the folder itself; those above it are as usual
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode });
}
