/** Everything random of one run, from its seed: the same seed gives the same run. */
export interface Random {
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** The same in another order. */
  shuffle<T>(from: readonly T[]): T[];
  /** So many characters of a–z and 0–9. */
  word(length: number): string;
}

/** Mulberry32: small, quick, good enough to choose with. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(fraction() * end);
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick: (from) => {
      if (from.length === 0) throw new Error('there is nothing to pick from');
      return from[below(from.length)] as (typeof from)[number];
    },
    shuffle: (from) =>
      from
        .map((one) => ({ one, at: fraction() }))
        .sort((a, b) => a.at - b.at)
        .map(({ one }) => one),
    word: (length) =>
      Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[below(36)]).join(''),
  };
}
