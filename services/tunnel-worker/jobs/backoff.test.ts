import { expect, it } from 'vitest';
import { backoffMs, deadLetterBackoffMs } from './backoff.ts';

it('waits longer after each failure, up to a bound, with jitter', () => {
  const longest = () => 1;
  expect([1, 2, 3, 4].map((failures) => backoffMs(failures, 0, longest))).toEqual([250, 500, 1_000, 2_000]);
  expect(backoffMs(30, 0, longest)).toBe(30_000);
  expect(backoffMs(30, 0, () => 0)).toBe(15_000);
});

it('never waits less than the provider asks for', () => {
  expect(backoffMs(1, 7_000)).toBe(7_000);
});

it('a dead letter is tried from half a minute to ten minutes later, and not before the provider says', () => {
  expect([-2, 0, 1, 2, 4, 5, 30].map((failures) => deadLetterBackoffMs(failures))).toEqual([
    ...[30_000, 30_000, 60_000, 120_000, 480_000],
    ...[600_000, 600_000],
  ]);
  expect(deadLetterBackoffMs(0, 900_000)).toBe(900_000);
});
