import { describe, expect, it } from 'vitest';
import { beginsWithZeros, bitsOf } from './proof-of-work.ts';

describe('a proof of work', () => {
  it.each([
    [[0, 0, 255], 16, true],
    [[0, 0, 255], 17, false],
    [[0, 31], 11, true],
    [[0, 31], 12, false],
    [[127], 1, true],
    [[128], 1, false],
    [[0], 9, false],
  ])('of %j begins with %i zero bits: %s', (bytes, bits, isTrue) => {
    expect(beginsWithZeros(Uint8Array.from(bytes), bits)).toBe(isTrue);
  });

  it('is asked for by a challenge that says how hard it is', () => {
    expect(bitsOf(`18.${'a'.repeat(22)}`)).toBe(18);
    for (const none of ['', 'a'.repeat(22), `.${'a'.repeat(22)}`, `-1.${'a'.repeat(22)}`, '18.short'])
      expect(bitsOf(none)).toBeNull();
  });
});
