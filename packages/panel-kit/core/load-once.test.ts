import { expect, it } from 'vitest';
import { forgetFailures, loadOnce } from './load-once.ts';

it('loads once, and keeps a failure until it is to be forgotten', async () => {
  let tries = 0;
  const load = loadOnce(async () => {
    tries += 1;
    if (tries === 1) throw new Error('down');
    return 'page';
  });
  await expect(load()).rejects.toThrow('down');
  await expect(load()).rejects.toThrow('down');
  expect(tries).toBe(1);
  forgetFailures();
  await expect(load()).resolves.toBe('page');
  await expect(load()).resolves.toBe('page');
  expect(tries).toBe(2);
});
