import { expect, it } from 'vitest';
import { formats, isRight, lastDigits } from './card.ts';

it('a card number is shown in groups of four, an expiry with its slash once there is a year', () => {
  expect(['4111', '41111', '4111111111111111'].map(formats.number.show)).toEqual([
    '4111',
    '4111 1',
    '4111 1111 1111 1111',
  ]);
  expect(['1', '12', '123', '1234'].map(formats.expiry.show)).toEqual(['1', '12', '12/3', '12/34']);
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
