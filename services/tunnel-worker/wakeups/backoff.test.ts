import { expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

it('waits longer after each failure, up to a bound, with jitter', () => {
  const longest = () => 1;
  expect([1, 2, 3, 4].map((failures) => backoffMs(failures, 0, longest))).toEqual([250, 500, 1_000, 2_000]);
  expect(backoffMs(30, 0, longest)).toBe(30_000);
  expect(backoffMs(30, 0, () => 0)).toBe(15_000);
});

it('never waits less than the provider asks for', () => {
  expect(backoffMs(1, 7_000)).toBe(7_000);
});
