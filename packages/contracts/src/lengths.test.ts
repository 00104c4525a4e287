import { expect, it, vi } from 'vitest';
import type { z } from 'zod';
import type { Entry } from './entry.ts';
import * as fields from './fields.ts';
import { routes } from './routes.ts';
import { fieldsIn, isText } from './schema-fields.ts';

/** Texts far longer than any field takes; the last is what composing takes longest for. */
const length = 20_000;
const longTexts = [
  ...['a', '1', '/', '🎮', ' a', 'a ', '\u0000'].map((one) => one.repeat(length)),
  ...[`${' '.repeat(length)}x`, `1${' '.repeat(length)}`],
  `x@${'a.'.repeat(length)}de`,
  `Z${'\u0351\u0316'.repeat(length / 2)}`,
];

/** The longest text that a regular expression, composing or the parser of URLs is given. */
function longestLookedAt(look: () => void): number {
  let longest = 0;
  const remember = (text: unknown) => {
    if (typeof text === 'string' && text.length > longest) longest = Math.max(longest, [...text].length);
  };
  const { exec } = RegExp.prototype;
  const { normalize } = String.prototype;
  vi.stubGlobal(
    'URL',
    class extends URL {
      constructor(text: string) {
        super(text);
        remember(text);
      }
    },
  );
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    // With this one zod counts the characters of what is too long.
    if (this.source !== String.raw`[\uD800-\uDBFF]`) remember(text);
    return exec.call(this, text);
  });
  vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form) {
    remember(this.toString());
    return normalize.call(this, form as 'NFC');
  });
  try {
    look();
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  }
  return longest;
}

const inputs: readonly (readonly [string, z.ZodType])[] = [
  ...Object.entries<Entry>(routes).map(([name, { input }]) => [name, input] as const),
  ['Idempotency-Key', fields.idempotencyKey],
];
/** Every schema of an input, once, with a place where it is. */
const parts = new Map(
  inputs.flatMap(([name, input]) =>
    fieldsIn(input).map(
      ({ path, ...part }) => [part.schema, { ...part, place: `${name}: ${path}` }] as const,
    ),
  ),
);

it('every text in an input of the API has a maximum', () => {
  const boundless = [...parts.values()].filter(({ schema }) => isText(schema) && schema.maxLength === null);
  expect(boundless.map(({ place }) => place)).toEqual([]);
});

it('no text in an input of the API is composed, searched or parsed if it is longer than its maximum', () => {
  const faults = [...parts.values()].flatMap(({ schema, place, longest }) =>
    longTexts
      .map((text) => longestLookedAt(() => schema.safeParse(text, { reportInput: true })))
      .filter((found) => found > longest)
      .map((found) => `${place}: ${found}`),
  );
  expect(faults).toEqual([]);
});
