import { expect, it } from 'vitest';
import { formatted, isRight, lastDigits } from './card.ts';

it('a card number takes digits only, in groups of four, at most nineteen characters', () => {
  expect(formatted.number('4111-1111x1111 1111 99')).toBe('4111 1111 1111 1111');
  expect(formatted.number('41111')).toBe('4111 1');
  expect(formatted.number('4111')).toBe('4111');
});

it('an expiry gets its slash by itself and can be deleted again', () => {
  expect(formatted.expiry('1')).toBe('1');
  expect(formatted.expiry('12')).toBe('12');
  expect(formatted.expiry('123')).toBe('12/3');
  expect(formatted.expiry('12/345')).toBe('12/34');
});

it('only a complete card is right', () => {
  expect([isRight.number('4111 1111 1111 111'), isRight.number('4111 1111 1111 1111')]).toEqual([
    false,
    true,
  ]);
  expect([isRight.name('  '), isRight.name('A')]).toEqual([false, true]);
  expect([isRight.expiry('12/3'), isRight.expiry('12/34')]).toEqual([false, true]);
  expect(['12', '123', '1234', '12345'].map(isRight.cvc)).toEqual([false, true, true, false]);
  expect(lastDigits('4111 1111 1111 1234')).toBe('1234');
});
