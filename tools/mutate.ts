import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, runCommand } from '@talpa/instance/cli';
import { claimHome } from '@talpa/instance/home';
import { homeFolders, root } from '@talpa/instance/paths';
import { readSecrets } from '@talpa/instance/secrets';
import { ensurePrograms } from '@talpa/instance/system-packages';
import { startPostgres } from '../launcher/stores/postgres.ts';
import { tryBugs } from './mutate/bugs.ts';
import { copySources, filesToMutate } from './mutate/sources.ts';
import { clearDeadTestFolders, clearTestFolder, makeTestFolder } from './test/test-folder.ts';

const tool = join(root, 'mutation');
const reports = join(root, '.talpa-mutation');
const usage =
  'Name files or folders: npm run mutate -- services/billing, or path/file.ts:10-40 for some lines of one; or --bugs.';

/**
 * `npm run mutate -- <files> [Stryker's options]`: breaks them in a copy, one way at a time, and runs their tests. `--bugs [id …]` puts in
 * the bugs of `mutation/bugs.ts` instead.
 */
await runCommand(async () => {
  const words = process.argv.slice(2);
  const asked = new AbortController();
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(event, () => asked.abort());
  const log = (line: string) => console.log(`… ${line}`);
  if (words[0] === '--bugs') process.exit((await tryBugs(words.slice(1), asked.signal, log)) > 0 ? 1 : 0);
  const at = words.findIndex((word) => word.startsWith('--'));
  const named = at < 0 ? words : words.slice(0, at);
  const options = at < 0 ? [] : words.slice(at);
  const files = filesToMutate(root, named);
  if (files.length === 0) throw new CliError(usage);
  await ensurePrograms(['postgres', 'nats-server', 'redis-server'], log);
  log('installing Stryker');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  if (await run('npm', ['install', '--no-save', ...quiet], tool, {}, asked.signal))
    throw new CliError('npm install failed.');
  await clearDeadTestFolders();
  const folder = makeTestFolder();
  let code = 1;
  try {
    const copy = join(folder, 'copy');
    log('copying the sources');
    copySources(root, copy);
    mkdirSync(reports, { recursive: true });
    writeFileSync(join(copy, 'stryker.json'), JSON.stringify(strykerOptions(files)));
    // Starting Postgres takes longer than most tests: one serves all mutants, with a database for each test file.
    const home = homeFolders(join(folder, 'home'));
    mkdirSync(home.home, { mode: 0o755 });
    const release = await claimHome(home, () => {});
    const postgres = await startPostgres(home, readSecrets(home.secrets), { fast: true }, () => {});
    const environment = { TMPDIR: folder, DATABASE_URL: postgres.url, TALPA_TEST_PATIENCE_MS: '6000' };
    const program = join(tool, 'node_modules/@stryker-mutator/core/bin/stryker.js');
    const words = [program, 'run', 'stryker.json', ...options];
    code = await run(process.execPath, words, copy, environment, asked.signal);
    await postgres.running.stop();
    release();
    if (!asked.signal.aborted) log(`report: ${reports}/report.html`);
  } finally {
    await clearTestFolder(folder);
  }
  process.exit(code);
});

function strykerOptions(files: readonly string[]) {
  return {
    testRunner: 'vitest',
    plugins: [join(tool, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    mutate: files,
    // Of our copy.
    inPlace: true,
    coverageAnalysis: 'perTest',
    vitest: { configFile: 'mutation/vitest.config.ts', pool: 'forks', related: true },
    disableTypeChecks: false,
    reporters: ['clear-text', 'json', 'html', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false, allowEmojis: false },
    jsonReporter: { fileName: join(reports, 'report.json') },
    htmlReporter: { fileName: join(reports, 'report.html') },
    allowConsoleColors: process.stdout.isTTY === true,
    // A loaded machine is not a mutant that hangs.
    timeoutMS: 20_000,
    timeoutFactor: 3,
    // All related tests, one file after the other.
    dryRunTimeoutMinutes: 30,
    thresholds: { high: 95, low: 90, break: 90 },
  };
}

/** @returns its exit code; 1 when the signal ended it, with all it has started */
async function run(
  file: string,
  words: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted();
  const env = { ...process.env, ...environment };
  const child = spawn(file, words, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  const end = () => child.pid && process.kill(-child.pid, 'SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    signal.removeEventListener('abort', end);
  }
}
