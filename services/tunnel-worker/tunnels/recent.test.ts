import { expect, it } from 'vitest';
import { createRecent } from './recent.ts';

/** Answers with a new number each time; the response to `held` comes when it is released. */
function counting() {
  const releases: (() => void)[] = [];
  let asked = 0;
  return {
    ask: async () => ({ n: ++asked }),
    held: () => {
      const n = ++asked;
      return new Promise<{ n: number }>((resolve) => void releases.push(() => resolve({ n })));
    },
    release: () => {
      for (const release of releases.splice(0)) release();
    },
  };
}

it('callers of one key share a question and, for a moment, its response', async () => {
  let now = 1;
  const recent = createRecent<{ n: number }>(2_000, () => now);
  const { ask } = counting();
  expect(await Promise.all([recent.get('a', ask), recent.get('a', ask)])).toEqual([{ n: 1 }, { n: 1 }]);
  now += 1_900;
  expect(await recent.get('a', ask)).toEqual({ n: 1 });
  expect(await recent.get('b', ask)).toEqual({ n: 2 });
  now += 200;
  expect(await recent.get('a', ask)).toEqual({ n: 3 });
});

it('a response to a request that was invalidated meanwhile is not cached', async () => {
  const recent = createRecent<{ n: number }>(60_000);
  const { ask, held, release } = counting();
  const early = recent.get('a', held);
  recent.forget('a');
  const late = recent.get('a', ask);
  expect(await late).toEqual({ n: 2 });
  release();
  expect(await early).toEqual({ n: 1 });
  expect(await recent.get('a', ask)).toEqual({ n: 2 });
});

it('a failure is not cached', async () => {
  const recent = createRecent<{ n: number }>(60_000);
  await expect(recent.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await recent.get('a', counting().ask)).toEqual({ n: 1 });
});
