import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PlainError, type Say } from './say.ts';

/** A program we need: where it may lie beside PATH, and the Debian package that has it. */
const programs = {
  postgres: { package: 'postgresql', folders: postgresFolders },
  'nats-server': { package: 'nats-server', folders: () => ['/usr/sbin'] },
  'redis-server': { package: 'redis-server', folders: () => ['/usr/sbin'] },
  chromium: { package: 'chromium', folders: () => [] },
} as const;
export type Program = keyof typeof programs;

/** The newest Postgres first. */
function postgresFolders(): string[] {
  const base = '/usr/lib/postgresql';
  if (!existsSync(base)) return [];
  return readdirSync(base)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(base, version, 'bin'));
}

/** The full path of a program, or null. */
export function findProgram(name: Program): string | null {
  const folders = [...programs[name].folders(), ...(process.env.PATH ?? '').split(':')];
  const path = folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
  return path ?? null;
}

/**
 * Installs the Debian packages of missing programs, without starting their services.
 * @throws PlainError where it cannot, with the one command that would.
 */
export function ensurePrograms(names: readonly Program[], say: Say): void {
  const missing = names.filter((name) => findProgram(name) === null);
  if (missing.length === 0) return;
  const packages = missing.map((name) => programs[name].package);
  const isRoot = process.getuid?.() === 0;
  if (!existsSync('/usr/bin/apt-get') || !isRoot)
    throw new PlainError(
      `Missing: ${packages.join(', ')}. Install with: ${isRoot ? '' : 'sudo '}apt-get install ${packages.join(' ')}` +
        ' (or your system’s equivalent), or point DATABASE_URL, NATS_URL and REDIS_URL at servers you have.',
    );
  say(`installing ${packages.join(', ')}`);
  withoutServices(() => aptInstall(packages));
  const still = missing.filter((name) => findProgram(name) === null);
  if (still.length > 0) throw new PlainError(`Installed, but not found: ${still.join(', ')}.`);
}

function aptInstall(packages: readonly string[]): void {
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-q', '-y', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      encoding: 'utf8',
    });
  // A failing update is no matter when the packages install all the same.
  const update = apt('update');
  const install = apt('install', '--no-install-recommends', ...packages);
  if (install.status === 0) return;
  const lines = `${update.status === 0 ? '' : update.stderr}${install.stderr}`.trim().split('\n');
  throw new PlainError(`apt-get install ${packages.join(' ')} failed:\n${lines.slice(-5).join('\n')}`);
}

/** While `work` runs, Debian's packages start no service and make no database of their own. */
function withoutServices(work: () => void): void {
  const undos = [
    putFile('/usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n', 0o755),
    putFile('/etc/postgresql-common/createcluster.d/talpa.conf', 'create_main_cluster = false\n', 0o644),
  ];
  try {
    work();
  } finally {
    for (const undo of undos) undo();
  }
}

/** Writes a file; the returned function brings back what was there before. */
function putFile(path: string, content: string, mode: number): () => void {
  const before = existsSync(path) ? { content: readFileSync(path), mode: statSync(path).mode } : null;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
  return () => {
    if (before) writeFileSync(path, before.content, { mode: before.mode });
    else rmSync(path, { force: true });
  };
}
