import { spawn } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, type LogLine } from '@talpa/instance/cli';
import { root } from '@talpa/instance/paths';
import { type Bug, bugs } from '../../mutation/bugs.ts';
import { testsOf } from '../test/changed-tests.ts';
import { clearDeadTestFolders, clearTestFolder, makeTestFolder } from '../test/test-folder.ts';
import { readCode } from '../verify/imports.ts';
import { copySources } from './sources.ts';

const logs = join(root, '.talpa-mutation', 'bugs');

/** A file's text with a bug. @throws CliError unless what the bug replaces stands there once */
export function withBug(text: string, { id, file, find, replace }: Bug): string {
  const [before = '', after, ...others] = text.split(find);
  if (after === undefined || others.length > 0)
    throw new CliError(
      `The bug ${id} has no place of its own in ${file}: correct its “find” in mutation/bugs.ts.`,
    );
  return before + replace + after;
}

/** What is wrong with the list of bugs: each has one place, and tests that are there. */
export function faultsOfBugs(): string[] {
  return bugs.flatMap((bug) => {
    const missing = bug.tests?.find((test) => !existsSync(join(root, test)));
    if (missing) return [`The bug ${bug.id} names a test that is not there: ${missing}.`];
    try {
      withBug(readFileSync(join(root, bug.file), 'utf8'), bug);
      return [];
    } catch (error) {
      return [String((error as Error).message)];
    }
  });
}

/**
 * Puts one bug after another into a copy of the clone, and runs the tests there that should notice it. Stryker cannot: it
 * makes up its mutants itself, and sees only tests that call the code in their own process.
 * @param ids which bugs; none: all
 * @returns how many were not seen to be noticed
 */
export async function tryBugs(ids: readonly string[], signal: AbortSignal, log: LogLine): Promise<number> {
  const unknown = ids.filter((id) => !bugs.some((bug) => bug.id === id));
  if (unknown.length > 0) throw new CliError(`mutation/bugs.ts has no bug ${unknown.join(', ')}.`);
  const chosen = bugs.filter(({ id }) => ids.length === 0 || ids.includes(id));
  await clearDeadTestFolders();
  const folder = makeTestFolder();
  let missed = 0;
  try {
    const copy = join(folder, 'copy');
    log('copying the sources');
    copySources(root, copy);
    // Most bugs leave the panel as it is.
    const builds = '.talpa-build';
    if (existsSync(join(root, builds))) cpSync(join(root, builds), join(copy, builds), { recursive: true });
    mkdirSync(logs, { recursive: true });
    for (const bug of chosen) {
      const noticed = await noticedBy(bug, copy, signal);
      if (!noticed) missed += 1;
      const instead = noticed === null ? 'not noticed' : 'not known, its run broke off';
      console.log(`${noticed ? '✓' : '✗'} ${bug.id}: ${noticed ?? `${instead}: ${bug.title}`}`);
    }
    console.log(`${chosen.length - missed} of ${chosen.length} noticed; what the tests said is in ${logs}`);
  } finally {
    await clearTestFolder(folder);
  }
  return missed;
}

/** @returns the name of the first test that fails with the bug; null: none does; undefined: the run broke off without one */
async function noticedBy(bug: Bug, copy: string, signal: AbortSignal): Promise<string | null | undefined> {
  const file = join(copy, bug.file);
  const whole = readFileSync(file, 'utf8');
  const said = join(logs, `${bug.id}.log`);
  const tests = bug.tests ?? testsOf([bug.file], readCode());
  // Without a word all tests would run.
  if (tests?.length === 0) return null;
  writeFileSync(file, withBug(whole, bug));
  try {
    if ((await runTests(copy, ['--bail=1', ...(tests ?? [])], said, signal)) === 0) return null;
  } finally {
    writeFileSync(file, whole);
  }
  return /^── failed: (.*)$/m.exec(readFileSync(said, 'utf8'))?.[1];
}

/** Runs `npm test` in the copy, its output going to a file. @returns its exit code */
async function runTests(
  copy: string,
  words: readonly string[],
  said: string,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted();
  const output = openSync(said, 'w');
  const child = spawn(process.execPath, ['tools/test.ts', ...words], {
    cwd: copy,
    stdio: ['ignore', output, output],
    // Ctrl-C reaches it once, by us.
    detached: true,
  });
  closeSync(output);
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
  return code ?? 1;
}
