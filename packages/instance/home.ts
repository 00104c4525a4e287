import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, forgetProcess, storedProcess, storeProcess } from './child.ts';
import { CliError, type LogLine } from './cli.ts';
import { tryLock } from './lock.mjs';
import { makeFolder, notWritable } from './make-folder.ts';
import type { HomeFolders } from './paths.ts';

const launcher = 'launcher';
const stores = ['postgres', 'nats', 'redis'];

/**
 * Takes a home for this launcher: makes its folders, refuses when another launcher has it, and ends what an
 * earlier one that was killed left running.
 * @returns how to give it back
 */
export async function claimHome(folders: HomeFolders, log: LogLine): Promise<() => void> {
  makeFolders(folders);
  const unlock = tryLock(join(folders.pids, 'launcher.lock'));
  const other = storedProcess(folders, launcher);
  if (!unlock || (other && other !== process.pid)) {
    unlock?.();
    throw new CliError(
      `Talpa is already running on ${folders.home}${other ? ` (process ${other})` : ''}. ` +
        'A second instance needs its own TALPA_HOME and PORT.',
    );
  }
  storeProcess(folders, launcher, process.pid);
  await endLeftovers(folders, log);
  return () => {
    forgetProcess(folders, launcher);
    unlock();
  };
}

function makeFolders(folders: HomeFolders): void {
  try {
    for (const folder of [folders.logs, folders.pids, folders.secrets]) {
      makeFolder(folder);
      chmodSync(folder, 0o700);
    }
    writeFileSync(join(folders.pids, '.writable'), '');
  } catch (error) {
    const { message } = error instanceof CliError ? error : notWritable(folders.home, error);
    throw new CliError(`${message} Choose another with TALPA_HOME=…`);
  }
}

/** Ends what a killed launcher left running: services first, stores last, as at any stop. */
export async function endLeftovers(folders: HomeFolders, log: LogLine): Promise<void> {
  const names = readdirSync(folders.pids)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .filter((name) => name !== launcher);
  const left = names.flatMap((name) => {
    const pid = storedProcess(folders, name);
    return pid ? [{ name, pid }] : [];
  });
  if (left.length > 0)
    log(`stopping what an earlier start left running: ${left.map(({ name }) => name).join(', ')}`);
  const isStore = ({ name }: { name: string }) => stores.includes(name);
  // Postgres waits for its clients on SIGTERM; SIGINT is its fast shutdown.
  const end = ({ name, pid }: { name: string; pid: number }) =>
    endProcess(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM');
  await Promise.all(left.filter((one) => !isStore(one)).map(end));
  await Promise.all(left.filter(isStore).map(end));
  for (const name of names) forgetProcess(folders, name);
}
