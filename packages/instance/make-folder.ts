import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError } from './cli.ts';

/**
 * Makes a folder and those above it, level by level: below some folders of the system (/proc) Node's
 * `recursive` tries for ever.
 * @param mode of the folder itself; those above it are as usual
 * @throws CliError when it cannot be made
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    throw notWritable(path, error);
  }
}

/** What to say of a folder in which something could not be made. */
export function notWritable(path: string, error: unknown): CliError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new CliError(`${path} cannot be written to (${code}).`);
}
