import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';

const version = 'v2.10.1';
const folder = join(root, '.talpa-tools', `pebble-${version}`);

/** Let's Encrypt's authority for tests, and its name server. */
export interface PebbleFiles {
  readonly pebble: string;
  readonly nameServer: string;
}

const files = (from: string): PebbleFiles => ({
  pebble: join(from, 'pebble'),
  nameServer: join(from, 'pebble-challtestsrv'),
});
const areThere = ({ pebble, nameServer }: PebbleFiles) => existsSync(pebble) && existsSync(nameServer);

/**
 * Finds pebble in the folder that PEBBLE_FOLDER names or in our own, where Go builds it the first time.
 * @returns a text that says why it is missing
 */
export function findPebble(): PebbleFiles | string {
  const given = process.env.PEBBLE_FOLDER;
  if (given) return areThere(files(given)) ? files(given) : `there is no pebble in ${given} (PEBBLE_FOLDER)`;
  if (areThere(files(folder))) return files(folder);
  if (spawnSync('go', ['version']).status !== 0)
    return 'pebble is not here, and no Go to build it: set PEBBLE_FOLDER, or install Go';
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync(
    'go',
    ['install', `github.com/letsencrypt/pebble/v2/cmd/...@${version}`],
    {
      env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod', CGO_ENABLED: '0' },
      encoding: 'utf8',
    },
  );
  return status === 0 && areThere(files(folder)) ? files(folder) : `pebble could not be built: ${stderr}`;
}
