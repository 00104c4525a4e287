import { expect, it } from 'vitest';
import { createLookups } from './lookups.ts';

it('looks for a secret that was never there only while its visitor may have pages, and for one that was there always', async () => {
  const lookups = createLookups();
  let looked = 0;
  const look = (there: boolean) => () => {
    looked += 1;
    return Promise.resolve(there ? {} : null);
  };
  const [may, mayNot] = [() => true, () => false];
  expect(await lookups.find('made up', look(true), mayNot)).toBe(null);
  expect(looked).toBe(0);
  expect(await lookups.find('right', look(true), may)).toEqual({});
  lookups.forget();
  expect(await lookups.find('right', look(false), mayNot)).toBe(null);
  expect(looked).toBe(2);
  lookups.forget();
  expect(await lookups.find('right', look(true), mayNot)).toBe(null);
  expect(looked).toBe(2);
});
