import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '@talpa/instance/cli';
import type { HomeFolders } from '@talpa/instance/paths';
import { clockBehind } from '@talpa/service-kit/clock';
import { freeBytesOf } from '@talpa/service-kit/disk';
import { diskFoldersOf, megabytes } from './disk-space.ts';

/** The stores' files of an instance that has none yet. */
const firstBytes = 200_000_000;
/** With less the stores end while they start. */
const leastBytes = 32_000_000;

/** Why this machine's clock cannot be right; null when it can. */
export function clockFault(now = Date.now()): string | null {
  const installed = clockBehind(now);
  return (
    installed &&
    `This machine's clock says ${new Date(now).toISOString()}, which is before Talpa was installed here (${installed.toISOString()}). Set it, with NTP if possible.`
  );
}

/** @throws CliError where no start can go well: a wrong clock, a full disk */
export async function refuseUnfitMachine(folders: HomeFolders, outside: NodeJS.ProcessEnv): Promise<void> {
  const fault = clockFault();
  if (fault) throw new CliError(fault);
  const isFirst = !existsSync(join(folders.home, 'nats'));
  const full = await fullFolder(folders, outside, isFirst ? firstBytes : leastBytes);
  if (full) throw new CliError(full);
}

/** What is said of a start that failed because the disk became full meanwhile; null when it has another reason. */
export const fullDuringStart = (folders: HomeFolders, outside: NodeJS.ProcessEnv) =>
  fullFolder(folders, outside, leastBytes);

async function fullFolder(
  folders: HomeFolders,
  outside: NodeJS.ProcessEnv,
  needed: number,
): Promise<string | null> {
  for (const folder of diskFoldersOf(folders, outside)) {
    const free = await freeBytesOf(folder);
    if (free !== null && free < needed)
      return `The disk is full: ${megabytes(free)} are free at ${folder}, and Talpa needs ${megabytes(needed)} to start. Free up space, then start it again.`;
  }
  return null;
}
