import { expect, it } from 'vitest';
import { firstBytes } from './text.ts';

it.each([
  ['abc', 3, 'abc'],
  ['abc', 2, 'ab'],
  ['äöü', 5, 'äö'],
  ['äöü', 1, ''],
  ['€uro', 3, '€'],
  ['🦔🦔', 7, '🦔'],
  ['🦔🦔', 8, '🦔🦔'],
  ['', 5, ''],
])('the beginning of “%s” in %d bytes is “%s”: whole characters', (text, most, beginning) => {
  expect(firstBytes(text, most)).toBe(beginning);
});
