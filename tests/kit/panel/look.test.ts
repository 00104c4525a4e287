import { accentColors } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { allLooks, coveringLooks, type Look, lookInRun, nameOf } from './look.ts';

const parts = ['theme', 'language', 'width'] as const;
const seeds = Array.from({ length: 60 }, (_, seed) => 940 + seed);
const valuesOf = (part: (typeof parts)[number]) => [...new Set(allLooks().map((look) => look[part]))];

it('in each run every two of theme, language and width meet, and every accent is worn', () => {
  for (const seed of seeds) {
    const looks = coveringLooks(seed);
    const meet = (...wanted: Partial<Look>[]) =>
      looks.some((look) =>
        wanted.every((one) =>
          Object.entries(one).every(([part, value]) => look[part as keyof Look] === value),
        ),
      );
    for (const [one, other] of [
      ['theme', 'language'],
      ['theme', 'width'],
      ['language', 'width'],
    ] as const)
      for (const first of valuesOf(one))
        for (const second of valuesOf(other)) expect(meet({ [one]: first }, { [other]: second })).toBe(true);
    expect(new Set(looks.map(({ accentColor }) => accentColor))).toEqual(new Set(accentColors));
  }
});

const fitting = (seed: number, only?: Look['width']) =>
  coveringLooks(seed).filter(({ width }) => !only || only === width);

it('in sixty seeds a screen is seen in every look with every accent, one that needs a width at that alone', () => {
  const seen = (turn: number, only?: Look['width']) =>
    new Set(
      seeds
        .map((seed) => lookInRun(fitting(seed, only), seed, turn))
        .map((look) => `${nameOf(look)} ${look.accentColor}`),
    );
  for (const turn of [0, 1, 7, 290]) {
    expect(seen(turn).size).toBe(12 * accentColors.length);
    expect([...seen(turn, 390)].every((name) => name.includes('-390 '))).toBe(true);
  }
});
