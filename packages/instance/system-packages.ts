import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, type LogLine } from './cli.ts';
import { withoutServices } from './debian-services.ts';
import { holdLock } from './lock.mjs';

/** A program we need: where it may lie beside PATH, and the Debian package that has it. */
const programs = {
  postgres: { package: 'postgresql', folders: postgresFolders },
  pg_dump: { package: 'postgresql-client', folders: postgresFolders },
  pg_restore: { package: 'postgresql-client', folders: postgresFolders },
  'nats-server': { package: 'nats-server', folders: () => ['/usr/sbin'] },
  'redis-server': { package: 'redis-server', folders: () => ['/usr/sbin'] },
  'chromium-headless-shell': { package: 'chromium-headless-shell', folders: () => [] },
  chromium: { package: 'chromium', folders: () => [] },
  nginx: { package: 'nginx', folders: () => ['/usr/sbin'] },
  apache2: { package: 'apache2', folders: () => ['/usr/sbin'] },
  busybox: { package: 'busybox', folders: () => [] },
  shellcheck: { package: 'shellcheck', folders: () => [] },
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
 * @throws CliError where it cannot, with the one command that would.
 */
export async function ensurePrograms(names: readonly Program[], log: LogLine): Promise<void> {
  const findMissing = () => names.filter((name) => findProgram(name) === null);
  if (findMissing().length === 0) return;
  refuseWhereImpossible(findMissing());
  const unlock = await holdLock('/run/talpa-packages.lock', () =>
    log('waiting for another process that is installing packages'),
  );
  try {
    const missing = findMissing();
    if (missing.length === 0) return;
    const packages = packagesOf(missing);
    log(`installing ${packages.join(', ')}`);
    await withoutServices(() => aptInstall(packages));
    const still = findMissing();
    if (still.length > 0) throw new CliError(`Installed, but not found: ${still.join(', ')}.`);
  } finally {
    unlock();
  }
}

const packagesOf = (missing: readonly Program[]) => missing.map((name) => programs[name].package);

function refuseWhereImpossible(missing: readonly Program[]): void {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/usr/bin/apt-get')) return;
  const packages = packagesOf(missing);
  const command = `${isRoot ? '' : 'sudo '}apt-get install ${packages.join(' ')}`;
  throw new CliError(
    `Not installed: ${missing.join(', ')}. Install with: ${command} (on other systems than Debian, put these programs in PATH). ` +
      'Or point DATABASE_URL, NATS_URL, and REDIS_URL at existing servers.',
  );
}

async function aptInstall(packages: readonly string[]): Promise<void> {
  // A failing update is no matter when the packages install all the same.
  const update = await aptGet('update');
  const install = await aptGet('install', '--no-install-recommends', ...packages);
  if (install.code === 0) return;
  const said = `${update.code === 0 ? '' : update.said}${install.said}`.trim().split('\n');
  const reasons = said.filter((line) => /^E:|^W:|dpkg/.test(line));
  throw new CliError(
    `apt-get install ${packages.join(' ')} failed:\n${(reasons.length > 0 ? reasons : said).slice(-5).join('\n')}`,
  );
}

/** In a group of its own: Ctrl-C must not leave Debian's packages half installed; we stop after it. */
async function aptGet(...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn('apt-get', ['-q', '-y', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, said };
}
