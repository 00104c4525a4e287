import { expect, it } from 'vitest';
import { quietFor } from './quiet.ts';

const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
const noon = { from: '12:30', to: '13:00', timeZone: 'America/New_York' };
const hours = (count: number) => count * 3_600_000;

it.each([
  // Berlin is an hour ahead in winter, two in summer.
  [night, '2026-12-05T20:59:59.999Z', 0],
  [night, '2026-12-05T21:00:00.000Z', hours(9)],
  [night, '2026-12-05T23:30:00.000Z', hours(6.5)],
  [night, '2026-12-06T05:59:30.000Z', 30_000],
  [night, '2026-12-06T06:00:00.000Z', 0],
  [night, '2026-07-05T20:00:00.000Z', hours(9)],
  [noon, '2026-12-05T17:45:00.000Z', hours(0.25)],
  [noon, '2026-12-05T18:00:00.000Z', 0],
  [{ ...noon, to: noon.from }, '2026-12-05T17:30:00.000Z', 0],
  [null, '2026-12-05T23:30:00.000Z', 0],
])('the quiet hours %o last at %s for %d ms more', (quietHours, now, ms) => {
  expect(quietFor(quietHours, new Date(now))).toBe(ms);
});
