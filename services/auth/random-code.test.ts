import { codeAlphabet } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { randomCode } from './random-code.ts';

it('every character of a code may be any of the alphabet’s, whatever the others are', () => {
  const codes = Array.from({ length: 2_000 }, () => randomCode(16));
  expect(new Set(codes).size).toBe(2_000);
  for (let at = 0; at < 16; at += 1) {
    const characters = new Set(codes.map((code) => code[at]));
    expect([...characters].toSorted()).toEqual([...codeAlphabet].toSorted());
  }
  const equal = codes.filter((code) => code[0] === code[1]);
  expect(equal.length).toBeLessThan(200);
});
