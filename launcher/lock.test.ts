import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { holdLock, tryLock } from './lock.mjs';

it('has one holder at a time', async () => {
  const name = randomUUID();
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
  const name = randomUUID();
  const module = new URL('./lock.mjs', import.meta.url).href;
  const script = `const { tryLock } = await import('${module}'); await tryLock('${name}'); console.log('held'); setInterval(() => {}, 1e6)`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(holder.stdout, 'data');
  expect(await tryLock(name)).toBeNull();
  holder.kill('SIGKILL');
  (await holdLock(name))();
});
