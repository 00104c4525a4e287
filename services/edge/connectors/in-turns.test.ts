import { expect, it } from 'vitest';
import { inTurns } from './in-turns.ts';

it('a thousand notifications about two ids cost two looks, and the last one is followed', async () => {
  const looks: (readonly string[])[] = [];
  const held = Promise.withResolvers<void>();
  const name = inTurns(async (ids) => {
    looks.push(ids);
    await held.promise;
  });
  const first = name('a');
  for (let count = 0; count < 500; count += 1) await Promise.all([name('a'), name('b')]);
  expect(looks).toEqual([['a']]);
  held.resolve();
  await first;
  expect(looks).toEqual([['a'], ['a', 'b']]);
  await name('a');
  expect(looks).toHaveLength(3);
});

it('what a look that failed was about is looked at with the next', async () => {
  let fails = true;
  const looks: (readonly string[])[] = [];
  const name = inTurns(async (ids) => {
    looks.push(ids);
    if (fails) throw new Error('the database is away');
  });
  await expect(name('a')).rejects.toThrow('away');
  fails = false;
  await name('b');
  expect(looks).toEqual([['a'], ['a', 'b']]);
});
