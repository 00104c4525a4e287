import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError, type LogLine, runCommand } from '@talpa/instance/cli';
import { holdLock } from '@talpa/instance/lock.mjs';
import { root } from '@talpa/instance/paths';
import { overweight } from './build/panel-weight.ts';

const frontends = ['shell', 'user', 'admin'] as const;
type Frontend = (typeof frontends)[number];
/** The folder of each frontend's build. */
export type Panel = Readonly<Record<Frontend, string>>;

const output = join(root, '.talpa-build');
/** What every frontend is made from, beside packages of ours. */
const shared = ['package-lock.json', 'launcher/build'];
/** `TALPA_PANEL_MODE=development` builds with React's and antd's own checks; they speak in the browser's console. */
const mode = process.env.TALPA_PANEL_MODE === 'development' ? 'development' : 'production';
/** Builds kept for each frontend: a browser with an open page may still ask for the one before. */
const keptBuilds = 2;

/**
 * Builds what has changed since; a build is a folder named by the hash of everything it was made from.
 * @param signal gives up
 */
export async function buildPanel(log: LogLine, signal?: AbortSignal): Promise<Panel> {
  const suffix = mode === 'production' ? '' : `-${mode}`;
  const folderOf = (name: Frontend) =>
    join(output, `${name}-${hashOf([...packagesOf(`frontends/${name}`), ...shared])}${suffix}`);
  const panel: Panel = { shell: folderOf('shell'), user: folderOf('user'), admin: folderOf('admin') };
  const findMissing = () => frontends.filter((name) => !existsSync(panel[name]));
  if (findMissing().length === 0) return panel;
  log('building the panel (once, until its sources change)');
  mkdirSync(output, { recursive: true });
  const unlock = await holdLock(join(root, '.talpa-build.lock'));
  try {
    removeDrafts();
    for (const name of findMissing()) {
      await build(name, panel[name], signal);
      if (mode === 'production') for (const line of overweight(name, panel[name])) log(`too large: ${line}`);
    }
    removeOldBuilds(panel);
  } finally {
    unlock();
  }
  return panel;
}

/** Built beside its place and then renamed: nobody ever sees half a build. */
async function build(name: Frontend, folder: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const draft = `${folder}.draft`;
  const source = join(root, 'frontends', name);
  const child = spawn(process.execPath, [join(root, 'launcher/build/frontend.ts'), source, draft], {
    cwd: source,
    env: { ...process.env, NODE_ENV: mode },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal } : {}),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new CliError(
      `The build of frontends/${name} failed:\n${said.trim().split('\n').slice(-30).join('\n')}`,
    );
  renameSync(draft, folder);
}

/** The folder of a package of ours and those of all of ours that it uses, in order. */
export function packagesOf(folder: string, found: readonly string[] = []): readonly string[] {
  if (found.includes(folder)) return found;
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const ours = Object.keys(dependencies).filter((name) => name.startsWith('@talpa/'));
  const folders = ours.map((name) => relative(root, realpathSync(join(root, 'node_modules', name))));
  const from: readonly string[] = [...found, folder];
  return folders.reduce((all, one) => packagesOf(one, all), from).toSorted();
}

/** A hash over names and contents of all files below the given paths, tests and dependencies left out. */
function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    const full = join(root, path);
    if (statSync(full).isDirectory()) {
      for (const entry of readdirSync(full).sort())
        if (!['node_modules', 'dist'].includes(entry) && !entry.includes('.test.')) add(join(path, entry));
    } else hash.update(`${path}\0`).update(readFileSync(full));
  };
  for (const path of paths) add(path);
  return hash.digest('hex').slice(0, 16);
}

/** What builds that were killed left; no other build runs now. */
function removeDrafts(): void {
  for (const entry of readdirSync(output))
    if (entry.endsWith('.draft')) rmSync(join(output, entry), { recursive: true, force: true });
}

function removeOldBuilds(panel: Panel): void {
  for (const name of frontends) {
    const builds = readdirSync(output)
      .filter((entry) => entry.startsWith(`${name}-`) && join(output, entry) !== panel[name])
      .map((entry) => ({ entry, time: statSync(join(output, entry)).mtimeMs }))
      .sort((a, b) => b.time - a.time);
    for (const { entry } of builds.slice(keptBuilds - 1))
      rmSync(join(output, entry), { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await runCommand(async () => {
    await buildPanel((line) => console.log(`… ${line}`));
  });
