import { expect, it } from 'vitest';
import {
  formatAgo,
  formatBytes,
  formatClock,
  formatDate,
  formatDaysAhead,
  formatEuros,
  formatLasting,
  formatLogTime,
  formatMoment,
  formatShare,
  formatShortTime,
  formatSpan,
  formatTime,
  hiddenOfToken,
} from './format.ts';

it('writes days as each language does, within which no line ends, and refuses what is no time', () => {
  expect(formatDate('2026-12-05T12:00:00.000Z', 'de')).toBe('5.\u00a0Dezember\u00a02026');
  expect(formatDate('2026-12-05T12:00:00.000Z', 'en')).toBe('December\u00a05,\u00a02026');
  expect(formatDate('soon', 'de')).toBeNull();
});

it('writes the time of the day in one way in each language, alone and after a date', () => {
  const time = new Date(2026, 11, 5, 7, 26, 9).toISOString();
  const german = [formatClock, formatTime, formatMoment].map((format) => format(time, 'de'));
  expect(german).toEqual([
    '07:26',
    '5.\u00a0Dezember\u00a02026 um\u00a007:26',
    '5.\u00a0Dezember\u00a02026 um\u00a007:26:09',
  ]);
  const english = [formatClock, formatTime, formatMoment].map((format) =>
    format(time, 'en').replace(/\s/g, ' '),
  );
  expect(english).toEqual(['7:26 AM', 'December 5, 2026 at 7:26 AM', 'December 5, 2026 at 7:26:09 AM']);
});

it('writes a moment in a table’s cell without a place where its line could end', () => {
  for (const format of [formatShortTime, formatLogTime])
    for (const language of ['de', 'en'] as const)
      expect(format('2026-12-05T07:26:09', language)).not.toMatch(/[ \n]/);
  expect(formatLogTime('2026-12-05T07:26:09', 'de')).toBe('5.\u00a0Dez.,\u00a007:26:09');
  expect(formatShortTime('2026-12-05T07:26:00', 'de')).toBe('05.12.2026,\u00a007:26');
});

it('writes euros as each language does', () => {
  expect(formatEuros(299, 'de').replace(/\s/g, ' ')).toBe('2,99 €');
  expect(formatEuros(0, 'de').replace(/\s/g, ' ')).toBe('0,00 €');
  expect(formatEuros(999, 'en')).toBe('€9.99');
});

it('shows a token of up to 30 characters whole, and 15 + 15 of a longer one', () => {
  const [first, last] = ['abcdefghijklmno', '123456789012345'];
  expect(hiddenOfToken('short')).toEqual({ first: 'short', middle: '', last: '' });
  expect(hiddenOfToken(first + last)).toEqual({ first, middle: '', last });
  expect(hiddenOfToken(`${first}secret${last}`)).toEqual({ first, middle: 'secret', last });
});

it('writes bytes in the unit that reads best, as each language does', () => {
  const plain = (bytes: number) => formatBytes(bytes, 'de').replace(/\s/g, ' ');
  expect([0, 17, 999, 1_500, 999_960, 2_340_000_000].map(plain)).toEqual([
    '0 B',
    '17 B',
    '999 B',
    '1,5 kB',
    '1 MB',
    '2,3 GB',
  ]);
  expect(formatBytes(1_200, 'en')).toBe('1.2\u00a0kB');
});

it('calls a share whole only when it is', () => {
  expect(formatShare(1, 'en')).toBe('100%');
  expect(formatShare(0.99999, 'en')).toBe('99.99%');
});

it('counts days ahead by the calendar, not by hours', () => {
  const evening = new Date(2026, 2, 1, 23, 30);
  const ahead = (date: Date) => formatDaysAhead(date.toISOString(), evening, 'de');
  expect(
    [new Date(2026, 2, 1, 23, 59), new Date(2026, 2, 2, 0, 15), new Date(2026, 2, 6, 1)].map(ahead),
  ).toEqual(['heute', 'morgen', 'in 5\u00a0Tagen']);
});

it('says how long ago something was, to what matters, and nothing lies ahead', () => {
  const now = Date.parse('2026-06-10T12:00:00Z');
  const ago = (time: string, language: 'de' | 'en' = 'de') => formatAgo(time, now, language);
  expect(ago('2026-06-10T11:59:30Z')).toBeNull();
  expect(ago('2026-06-10T12:05:00Z')).toBeNull();
  expect(ago('2026-06-10T11:58:59Z')).toBe('vor 1\u00a0Minute');
  expect(ago('2026-06-10T11:58:00Z', 'en')).toBe('2\u00a0minutes ago');
  expect(ago('2026-06-10T09:00:01Z')).toBe('vor 2\u00a0Stunden');
  expect(ago('2026-06-07T12:00:00Z')).toBe('vor 3\u00a0Tagen');
});

it('says for how long something has lasted, as it follows „seit“ and “for”, a minute at least', () => {
  const now = Date.parse('2026-06-10T12:00:00Z');
  const lasting = (time: string, language: 'de' | 'en' = 'de') => formatLasting(time, now, language);
  expect(lasting('2026-06-10T12:05:00Z')).toBe('1\u00a0Minute');
  expect(lasting('2026-06-10T11:58:00Z', 'en')).toBe('2\u00a0minutes');
  expect(lasting('2026-06-10T09:00:01Z')).toBe('2\u00a0Stunden');
  expect(lasting('2026-06-07T12:00:00Z')).toBe('3\u00a0Tagen');
});

it('writes how long something took in its two largest units', () => {
  expect(formatSpan(20, 'de')).toBe('1\u00a0Minute');
  expect(formatSpan(7_512, 'de')).toBe('2\u00a0Stunden und 5\u00a0Minuten');
  expect(formatSpan(86_400 * 3 + 59, 'en')).toBe('3\u00a0days');
  expect(formatSpan(90_061, 'en')).toBe('1\u00a0day and 1\u00a0hour');
});
