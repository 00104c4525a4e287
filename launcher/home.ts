import { accessSync, constants, mkdirSync, readdirSync } from 'node:fs';
import { endProcess, forgetProcess, notedProcess, noteProcess } from './child.ts';
import type { HomeFolders } from './paths.ts';
import { PlainError, type Say } from './say.ts';

const launcher = 'launcher';

/**
 * Takes a home for this launcher: makes its folders, refuses when another launcher has it, and ends what an
 * earlier one that was killed left running.
 * @returns how to give it back
 */
export async function claimHome(folders: HomeFolders, say: Say): Promise<() => void> {
  try {
    for (const folder of [folders.home, folders.logs, folders.pids, folders.secrets])
      mkdirSync(folder, { recursive: true, mode: folder === folders.home ? 0o755 : 0o700 });
    accessSync(folders.home, constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new PlainError(`${folders.home} cannot be written to (${code}). Choose another with TALPA_HOME=…`);
  }
  const other = notedProcess(folders, launcher);
  if (other)
    throw new PlainError(
      `Talpa is running on ${folders.home} already (process ${other}). A second instance needs its own TALPA_HOME and PORT.`,
    );
  noteProcess(folders, launcher, process.pid);
  await endLeftovers(folders, say);
  return () => forgetProcess(folders, launcher);
}

/** Services first, stores last, as at any stop. */
async function endLeftovers(folders: HomeFolders, say: Say): Promise<void> {
  const names = readdirSync(folders.pids)
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => name !== launcher);
  const left = names.flatMap((name) => {
    const pid = notedProcess(folders, name);
    return pid ? [{ name, pid }] : [];
  });
  if (left.length > 0)
    say(`ending what an earlier start left running: ${left.map(({ name }) => name).join(', ')}`);
  const isStore = (name: string) => ['postgres', 'nats', 'redis'].includes(name);
  for (const { pid } of left.filter((one) => !isStore(one.name))) await endProcess(pid, 'SIGTERM');
  for (const { name, pid } of left.filter((one) => isStore(one.name)))
    await endProcess(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM');
  for (const name of names) forgetProcess(folders, name);
}
