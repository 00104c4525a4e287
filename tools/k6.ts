import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, type LogLine } from '@talpa/instance/cli';
import { root } from '@talpa/instance/paths';

/** The version the scenarios are written for. */
const k6Version = 'v2.2.0';
const folder = join(root, '.talpa-tools');

/** Where k6 is: `K6_PATH`, our own, or the machine's; null when there is none of that major version. */
export function findK6(): string | null {
  const candidates = [process.env.K6_PATH, join(folder, 'k6'), 'k6'].filter((path) => path !== undefined);
  return candidates.find((path) => isK6(path)) ?? null;
}

function isK6(path: string): boolean {
  if (path.includes('/') && !existsSync(path)) return false;
  const { stdout } = spawnSync(path, ['version'], { encoding: 'utf8' });
  return /^k6(\.exe)? v2\./.test(stdout ?? '');
}

/** Builds it with Go into a folder of the project's. @throws CliError without Go */
export async function installK6(log: LogLine): Promise<string> {
  if (spawnSync('go', ['version']).status !== 0)
    throw new CliError(
      'k6 2 is needed: install it and put it on PATH, name it in K6_PATH, or install Go, and it is built here.',
    );
  log(`building k6 ${k6Version} with Go: some minutes`);
  mkdirSync(folder, { recursive: true });
  // A module of its own rather than `go install`, which asks for the latest version first.
  writeFileSync(
    join(folder, 'go.mod'),
    `module talpa-tools\n\ngo 1.24\n\nrequire go.k6.io/k6/v2 ${k6Version}\n`,
  );
  const child = spawn('go', ['build', '-o', 'k6', 'go.k6.io/k6/v2'], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, GOFLAGS: '-mod=mod', CGO_ENABLED: '0' },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new CliError('k6 could not be built.');
  return join(folder, 'k6');
}
