import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { holdLock, tryLock } from './lock.mjs';

it('has one holder at a time', async () => {
  const name = join(mkdtempSync(join(tmpdir(), 'talpa-lock-')), 'lock');
  let holders = 0;
  const seen: number[] = [];
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      const release = await holdLock(name);
      seen.push(++holders);
      await new Promise(setImmediate);
      holders--;
      release();
    }),
  );
  expect(seen).toEqual([1, 1, 1]);
});

it('is free again when its holder is killed', async () => {
  const name = join(mkdtempSync(join(tmpdir(), 'talpa-lock-')), 'lock');
  const module = new URL('./lock.mjs', import.meta.url).href;
  const script = `const { tryLock } = await import('${module}'); tryLock('${name}'); console.log('held'); setInterval(() => {}, 1e6)`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(holder.stdout, 'data');
  expect(tryLock(name)).toBeNull();
  holder.kill('SIGKILL');
  (await holdLock(name))();
});

it('is on a file that no other user can open, so that no other can hold it', async () => {
  const name = join(mkdtempSync(join(tmpdir(), 'talpa-lock-')), 'lock');
  (await holdLock(name))();
  expect(statSync(name).mode & 0o777).toBe(0o600);
});

it('is not inherited: what its holder has started does not keep it', async () => {
  const name = join(mkdtempSync(join(tmpdir(), 'talpa-lock-')), 'lock');
  const release = await holdLock(name);
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  release();
  expect(tryLock(name)).not.toBeNull();
  child.kill();
});
