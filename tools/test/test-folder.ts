import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endProcess, startTimeOf, storedProcess } from '@talpa/instance/child';
import { endLeftovers } from '@talpa/instance/home';
import { type HomeFolders, homeFolders } from '@talpa/instance/paths';

const prefix = 'talpa-tests-';
const ownerFile = 'run.json';
/** Linux' file system in memory, open to every user. */
const inMemory = '/dev/shm';
const memoryNeeded = 6 * 1024 ** 3;

/**
 * Where test folders are. Each test file makes and removes about a thousand files of Postgres, and ext4 searches long for a
 * free inode then: that takes a third of the processor time of services' tests. `TMPDIR` names another place.
 */
function testFolders(): string {
  if (process.env.TMPDIR) return tmpdir();
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize < memoryNeeded ? tmpdir() : inMemory;
  } catch {
    return tmpdir();
  }
}

/** Makes the folder in which one `npm test` keeps everything temporary. */
export function makeTestFolder(): string {
  const draft = mkdtempSync(join(testFolders(), 'talpa-new-'));
  chmodSync(draft, 0o755);
  const owner = { pid: process.pid, startTime: startTimeOf(process.pid) };
  writeFileSync(join(draft, ownerFile), JSON.stringify(owner));
  // Named only now: without an owner another run would clear it away.
  const folder = draft.replace('talpa-new-', prefix);
  renameSync(draft, folder);
  return folder;
}

/** Ends everything that interrupted tests left running, and removes the folder. */
export async function clearTestFolder(folder: string): Promise<void> {
  const homes = globSync('{*,*/*}/pids', { cwd: folder }).map((pids) =>
    homeFolders(join(folder, dirname(pids))),
  );
  // The launchers first, or they would start again what is ended.
  await Promise.all(homes.map(endLauncher));
  for (const home of homes) await endLeftovers(home, () => {});
  unmountBelow(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A killed test leaves its own disks mounted, and what is mounted cannot be removed. */
function unmountBelow(folder: string): void {
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const [, place = ''] = line.split(' ');
    if (place.startsWith(`${folder}/`)) spawnSync('umount', ['--lazy', place]);
  }
}

async function endLauncher(home: HomeFolders): Promise<void> {
  const pid = storedProcess(home, 'launcher');
  if (pid) await endProcess(pid, 'SIGTERM');
}

/** Clears the folders of runs that were killed. */
export async function clearDeadTestFolders(): Promise<void> {
  for (const base of new Set([tmpdir(), testFolders()]))
    for (const name of globSync(`${prefix}*`, { cwd: base }))
      if (!isOwned(join(base, name))) await clearTestFolder(join(base, name));
}

function isOwned(folder: string): boolean {
  try {
    const owner = JSON.parse(readFileSync(join(folder, ownerFile), 'utf8'));
    return startTimeOf(owner.pid) === owner.startTime;
  } catch {
    return false;
  }
}
