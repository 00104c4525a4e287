import { describe, expect, it } from 'vitest';
import { isPublic } from './addresses.ts';

/*
 * The oracle reads no library: it knows the address as the number that it was made of, and IANA's registries of special addresses.
 */
let state = 20_261_127;
const random = (below: number) => {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
};
const bits = (width: number): bigint => {
  let value = 0n;
  for (let left = width; left > 0; left -= 16) value = (value << 16n) | BigInt(random(65_536));
  return value & ((1n << BigInt(width)) - 1n);
};
const range = (text: string, length: number): readonly [bigint, bigint] => [
  BigInt(`0x${text}`) << BigInt(128 - text.length * 4),
  BigInt(length),
];
/** Of 2000::/3, what is none of an ordinary server (RFC 6890 and its registry). */
const special = [range('2001', 23), range('20010db8', 32), range('2002', 16), range('3fff', 20)];
const isWithin = (value: bigint, [start, length]: readonly [bigint, bigint]) =>
  (value ^ start) >> (128n - length) === 0n;
const isOrdinary = (value: bigint) =>
  value >> 125n === 1n &&
  !special.some((one) => isWithin(value, one)) &&
  // ISATAP (RFC 5214, 6.1): 0000:5efe or 0200:5efe before an IPv4 address; the group bit is free.
  ((value >> 32n) & 0xfcff_ffffn) !== 0x5efen;

/** An address in every way that it can be written. */
function spellings(value: bigint): string[] {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn);
  const hex = groups.map((group) => group.toString(16));
  const full = hex.map((group) => group.padStart(4, '0')).join(':');
  const [high = 0n, low = 0n] = groups.slice(6);
  const dotted = `${hex.slice(0, 6).join(':')}:${high >> 8n}.${high & 255n}.${low >> 8n}.${low & 255n}`;
  const short = new URL(`http://[${full}]`).hostname.slice(1, -1);
  return [full, full.toUpperCase(), hex.join(':'), dotted, short];
}

/** Any public prefix of 64 bits. */
function prefix(): bigint {
  for (;;) {
    const value = (1n << 125n) | (bits(61) << 64n);
    if (isOrdinary(value | 1n)) return value;
  }
}
const embeddings: Readonly<Record<string, (four: bigint) => bigint>> = {
  'IPv4-compatible': (four) => four,
  'IPv4-mapped': (four) => (0xffffn << 32n) | four,
  'IPv4-translated': (four) => (0xffff_0000n << 32n) | four,
  NAT64: (four) => (0x64_ff9bn << 96n) | four,
  'local NAT64': (four) => (0x64_ff9b_0001n << 80n) | (bits(48) << 32n) | four,
  '6to4': (four) => (0x2002n << 112n) | (four << 80n) | bits(80),
  Teredo: (four) => (0x2001_0000n << 96n) | (bits(64) << 32n) | (four ^ 0xffff_ffffn),
  'a Teredo server': (four) => (0x2001_0000n << 96n) | (four << 64n) | bits(64),
  ISATAP: (four) => prefix() | (0x5efen << 32n) | four,
  'ISATAP of a public address': (four) => prefix() | (0x0200_5efen << 32n) | four,
  'link-local ISATAP': (four) => (0xfe80n << 112n) | (0x5efen << 32n) | four,
};

describe('an address that carries an IPv4 address', () => {
  it.each(Object.entries(embeddings))('is none of the public Internet: %s', (_name, embed) => {
    for (let count = 0; count < 200; count += 1) {
      const four = [0x7f00_0001n, 0x0a00_0000n | bits(24), 0xa9fe_a9fen, bits(32)][count % 4] as bigint;
      for (const text of spellings(embed(four))) expect([text, isPublic(text)]).toEqual([text, false]);
    }
  });
});

it('an address is public exactly where the registries say so', () => {
  let open = 0;
  for (let count = 0; count < 4_000; count += 1) {
    const [start, length] = special[count % special.length] as readonly [bigint, bigint];
    const within = start | bits(128 - Number(length));
    // Below and above each special range, within it, and anywhere.
    const value =
      [within, start - 1n - bits(64), start + (1n << (128n - length)) + bits(64), bits(128)][
        (count >> 2) % 4
      ] ?? 0n;
    if (isOrdinary(value)) open += 1;
    const [text = ''] = spellings(value);
    expect([text, isPublic(text)]).toEqual([text, isOrdinary(value)]);
  }
  expect(open).toBeGreaterThan(500);
});
