import { expect, it } from 'vitest';
import { formatDate, formatEuros, shortToken } from './format.ts';

it('writes days as each language does, and refuses what is no time', () => {
  expect(formatDate('2026-12-05T12:00:00.000Z', 'de')).toBe('5. Dezember 2026');
  expect(formatDate('2026-12-05T12:00:00.000Z', 'en')).toBe('December 5, 2026');
  expect(formatDate('soon', 'de')).toBeNull();
});

it('writes euros as each language does', () => {
  expect(formatEuros(299, 'de').replace(/\s/g, ' ')).toBe('2,99 €');
  expect(formatEuros(0, 'de').replace(/\s/g, ' ')).toBe('0,00 €');
  expect(formatEuros(999, 'en')).toBe('€9.99');
});

it('shows a token of up to 30 characters whole, and 15 + 15 of a longer one', () => {
  const thirty = 'abcdefghijklmno123456789012345';
  expect(shortToken(thirty)).toBe(thirty);
  expect(shortToken(`${thirty.slice(0, 15)}secret${thirty.slice(15)}`)).toBe(
    'abcdefghijklmno…123456789012345',
  );
});
