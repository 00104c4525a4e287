import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryHome } from '@talpa/test-kit/home';
import { afterAll, expect, it } from 'vitest';
import { claimHome } from './home.ts';
import { homeFolders } from './paths.ts';

const folders = homeFolders(temporaryHome());
afterAll(() => rmSync(folders.home, { recursive: true, force: true }));

it('is blocked by nobody who may only look at it: no name in the machine’s own space counts', async () => {
  const { dev, ino } = statSync(folders.home);
  const name = createHash('sha256').update(`home ${dev} ${ino}`).digest('hex');
  const stranger = createServer().listen(`\0talpa-${name}`);
  await once(stranger, 'listening');
  (await claimHome(folders, () => {}))();
  stranger.close();
});

it('is given to one launcher at a time, by a lock that lies where only its owner can enter', async () => {
  const release = await claimHome(folders, () => {});
  await expect(claimHome(folders, () => {})).rejects.toThrow(/^Talpa is already running on /);
  const lock = join(folders.pids, 'launcher.lock');
  accessSync(lock, constants.F_OK);
  expect([statSync(folders.pids).mode & 0o077, statSync(lock).mode & 0o077]).toEqual([0, 0]);
  release();
  (await claimHome(folders, () => {}))();
});
