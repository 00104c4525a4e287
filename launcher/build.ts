import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './paths.ts';
import { PlainError, runCommand, type Say } from './say.ts';

const frontends = ['shell', 'user', 'admin'] as const;
type Frontend = (typeof frontends)[number];
/** The folder of each frontend's build. */
export type Panel = Readonly<Record<Frontend, string>>;

const output = join(root, '.talpa-build');
/** Builds kept for each frontend: a browser with an open page may still ask for the one before. */
const keptBuilds = 2;

/** Builds what has changed since; a build is a folder named by the hash of everything it was made from. */
export async function buildPanel(say: Say): Promise<Panel> {
  const shared = ['packages/contracts', 'packages/panel-kit', 'package-lock.json'];
  const panel = Object.fromEntries(
    frontends.map((name) => {
      const hash = hashOf([`frontends/${name}`, ...shared]);
      return [name, join(output, `${name}-${hash}`)];
    }),
  ) as Record<Frontend, string>;
  const missing = frontends.filter((name) => !existsSync(panel[name]));
  if (missing.length > 0) say('building the panel (once, until its sources change)');
  for (const name of missing) await build(name, panel[name]);
  if (missing.length > 0) removeOldBuilds(panel);
  return panel;
}

/** Built beside its place and then renamed: nobody ever sees half a build, and two at once do no harm. */
async function build(name: Frontend, folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(output, { recursive: true });
  const child = spawn(process.execPath, [join(root, 'node_modules/@rspack/cli/bin/rspack.js'), 'build'], {
    cwd: join(root, 'frontends', name),
    env: { ...process.env, NODE_ENV: 'production', OUT_DIR: draft },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new PlainError(
      `The build of frontends/${name} failed:\n${said.trim().split('\n').slice(-30).join('\n')}`,
    );
  }
  try {
    renameSync(draft, folder);
  } catch {
    // Another start built the same meanwhile.
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A hash over names and contents of all files below the given paths, tests and dependencies left out. */
function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    const full = join(root, path);
    if (statSync(full).isDirectory()) {
      for (const entry of readdirSync(full).sort())
        if (!['node_modules', 'dist'].includes(entry) && !entry.includes('.test.')) add(join(path, entry));
    } else hash.update(path).update(readFileSync(full));
  };
  for (const path of paths) add(path);
  return hash.digest('hex').slice(0, 16);
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
