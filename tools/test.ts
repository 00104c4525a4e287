import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '@talpa/instance/cli';
import { counted } from '@talpa/instance/counted';
import { root } from '@talpa/instance/paths';
import { ensurePrograms } from '@talpa/instance/system-packages';
import { ensureBrowser } from '@talpa/test-kit/find-browser';
import { buildPanel } from '../launcher/build.ts';
import { changedTests } from './test/changed-tests.ts';
import { clearDeadTestFolders, clearTestFolder, makeTestFolder } from './test/test-folder.ts';

/** What an interrupted run gets to stop its instances. */
const graceMs = 20_000;

/**
 * `npm test [-- vitest's arguments]`: installs what the tests need and runs them all; with `--changed[=<ref>]` those
 * that the changes since `ref` (main) can break.
 */
await runCommand(async () => {
  const asked = new AbortController();
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(event, () => asked.abort());
  const log = (line: string) => console.log(`… ${line}`);
  const vitestArguments = chooseChanged(process.argv.slice(2), log);
  if (!vitestArguments) return console.log('0 passed, 0 failed');
  await ensurePrograms(
    ['postgres', 'nats-server', 'redis-server', 'nginx', 'apache2', 'busybox', 'shellcheck'],
    log,
  );
  await ensureBrowser(log);
  await clearDeadTestFolders();
  const folder = makeTestFolder();
  let code = 1;
  let totals = '0 passed, 1 failed';
  try {
    await buildPanel(log, asked.signal);
    asked.signal.throwIfAborted();
    const totalsFile = join(folder, 'totals.txt');
    code = await runVitest(vitestArguments, folder, totalsFile, asked.signal);
    if (existsSync(totalsFile)) totals = readFileSync(totalsFile, 'utf8');
  } catch (error) {
    if (!asked.signal.aborted) throw error;
  } finally {
    if (asked.signal.aborted) log('interrupted, stopping what the tests have started');
    await clearTestFolder(folder);
  }
  console.log(totals);
  process.exit(asked.signal.aborted ? 1 : code);
});

/**
 * Replaces `--changed` by the files that it means. Vitest's own follows imports alone, but the tests of whole systems
 * import no service.
 * @returns null when there is nothing to test
 */
function chooseChanged(given: readonly string[], log: (line: string) => void): readonly string[] | null {
  const asked = given.find((one) => /^--changed(=|$)/.test(one));
  if (!asked) return given;
  const ref = asked.split('=')[1] || 'main';
  const others = given.filter((one) => one !== asked);
  const files = changedTests(ref);
  log(
    files
      ? `${counted(files.length, 'test file')} for the changes since ${ref}`
      : 'all tests: a change may reach any',
  );
  return files?.length === 0 ? null : [...others, ...(files ?? [])];
}

/** Runs vitest, all temporary files going to `folder`; stops it on the signal. */
async function runVitest(
  given: readonly string[],
  folder: string,
  totalsFile: string,
  signal: AbortSignal,
): Promise<number> {
  const vitest = spawn(
    process.execPath,
    [
      `--import=${join(root, 'tools/test/end-with-parent.ts')}`,
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...given,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A group of its own: it is stopped once, by us; a second signal would not let it wait for its tests to tidy up.
      detached: true,
      env: {
        ...process.env,
        ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
        TMPDIR: folder,
        TALPA_TEST_TOTALS: totalsFile,
        TALPA_TEST_TEMPLATE: join(folder, 'template'),
      },
    },
  );
  const ended = new Promise<number | null>((resolve, reject) => {
    vitest.once('error', reject);
    vitest.once('exit', resolve);
  });
  const stop = () => {
    vitest.kill('SIGINT');
    setTimeout(() => vitest.pid && process.kill(-vitest.pid, 'SIGKILL'), graceMs).unref();
  };
  signal.addEventListener('abort', stop, { once: true });
  return (await ended) ?? 1;
}
