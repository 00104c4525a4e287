import type { UptimeBar } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { noonOf, toneOf } from './uptime.ts';

const bar = (part: Partial<UptimeBar>): UptimeBar => ({
  from: '2026-06-10T08:00:00.000Z',
  to: '2026-06-10T09:00:00.000Z',
  up: 0,
  down: 0,
  unknown: 0,
  ...part,
});

it('a bar is down only for time that is known: before the first connection it is neither down nor unknown', () => {
  const first = '2026-06-10T09:00:00.000Z';
  expect(toneOf(bar({ unknown: 3_600 }), first)).toBe('before');
  expect(toneOf(bar({ unknown: 3_600 }), '2026-06-10T08:00:00.000Z')).toBe('unknown');
  expect(toneOf(bar({ up: 1_800, unknown: 1_800 }), '2026-06-10T08:30:00.000Z')).toBe('up');
  expect(toneOf(bar({ up: 1, down: 3_599 }), '2026-06-10T08:00:00.000Z')).toBe('partly');
  expect(toneOf(bar({ down: 3_600 }), '2026-06-09T08:00:00.000Z')).toBe('down');
});

it('a day has its date for readers elsewhere, too', () => {
  // Midnight in Berlin is the evening before in London and New York.
  const day = noonOf(bar({ from: '2026-06-09T22:00:00.000Z' }));
  const date = (timeZone: string) =>
    new Intl.DateTimeFormat('de', { timeZone, day: 'numeric' }).format(new Date(day));
  for (const zone of ['Europe/Berlin', 'Europe/London', 'America/Los_Angeles', 'Australia/Sydney'])
    expect(date(zone)).toBe('10');
});
