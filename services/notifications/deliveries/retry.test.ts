import { expect, it } from 'vitest';
import { pauseAfter } from './retry.ts';

const now = Date.parse('2026-11-24T04:00:00.000Z');
const hourMs = 3_600_000;

it.each([
  [0, undefined, 5_000],
  [5, undefined, 10 * hourMs],
  [6, undefined, null],
  [6, '1', null],
  [0, '1', 5_000],
  [0, '7.2', 7_200],
  [0, '99999999', 12 * hourMs],
  [0, 'Tue, 24 Nov 2026 05:00:00 GMT', hourMs],
  [0, 'Tue, 24 Nov 2020 05:00:00 GMT', 5_000],
  [0, 'soon', 5_000],
  [0, '-5', 5_000],
])('after %i failures and “%s” it is tried again in %s ms', (failures, retryAfter, expected) => {
  expect(pauseAfter(failures, retryAfter, now)).toBe(expected);
});
