import { newProcess } from '@talpa/test-kit/lifecycle';
import { holdJobs, until } from '@talpa/test-kit/wait';
import { expect, it, onTestFinished } from 'vitest';
import { startDispatcher } from './dispatcher.ts';

it('handles no more than its places at once, and everything in the end, without waiting for the next look', async () => {
  onTestFinished(holdJobs(1_000));
  const { lifecycle, stop } = newProcess();
  const due = [1, 2, 3, 4, 5, 6];
  const running = new Map<number, () => void>();
  const done: number[] = [];
  const kick = startDispatcher<number>(
    {
      name: 'numbers',
      lanes: [{ places: 3, claim: async (count) => due.splice(0, count) }],
      handle: async (work) => {
        await new Promise<void>((resolve) => running.set(work, resolve));
        running.delete(work);
        done.push(work);
      },
      lookFailed: 'due numbers cannot be looked for',
    },
    lifecycle,
  );
  kick();
  await until('its places to be taken', () => running.size > 0 && due.length <= 3);
  expect([...running.keys()]).toEqual([1, 2, 3]);

  for (const work of [1, 2, 3]) running.get(work)?.();
  await until('the next three', () => done.length === 3 && running.size === 3);
  for (const end of running.values()) end();
  await until('everything to be handled', () => done.length === 6);
  due.push(7);
  kick();
  await until('what came later', () => running.has(7));
  running.get(7)?.();
  await stop();
});
