import { expect, it } from 'vitest';
import { sizeOfFields, sizeOfPairs, sizeOfRequest } from './header-size.ts';

it('a head is as large as HTTP/2 counts it, each value of a repeated header for itself', () => {
  expect(sizeOfPairs(['a', 'bb', 'c', ''])).toBe(3 + 32 + 1 + 32);
  expect(sizeOfFields({ a: 'bb', c: ['d', 'ee'], ':status': 200 })).toBe(35 + 34 + 35 + 42);
  expect(sizeOfPairs([])).toBe(0);
});

it('a request’s head is as large as it was written: line, names and values with what divides them', () => {
  expect(sizeOfRequest('/path', ['Host', 'a', 'Accept', '*/*'])).toBe(5 + 6 + 3 + 8 + 5);
});
