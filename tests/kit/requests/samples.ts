import type { z } from 'zod';
import type { Random } from './random.ts';

/** What people might enter somewhere; each field takes those that its own schema accepts. */
const candidates = (random: Random): unknown[] => [
  `u${random.word(12)}`,
  `S ${random.word(12)}`,
  `Größter Server 🎮 ${random.word(8)}`,
  `سيرفر ${random.word(8)}`,
  '127.0.0.1',
  '2001:db8::1',
  'DE',
  '/admin',
  'A'.repeat(43),
  'a1'.repeat(32),
  `${random.word(8)}@example.org`,
  '',
  `geheim-${random.word(8)}`,
  '00000000-0000-4000-8000-000000000000',
  '2026-01-31T23:59:59.000Z',
  '2099-12-31T23:59:59.000Z',
  'ABCD-EFGH-JKMN',
  'https://hooks.invalid/talpa',
  '-1001234567890',
  '123456',
  'de',
  'openid',
  '22:30',
  'Europe/Berlin',
  '40120',
  0,
  1,
  25,
  40_120,
  65_535,
  true,
  false,
  null,
];

type Def = {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly in?: z.ZodType;
};
const defOf = (schema: z.ZodType) => schema._zod.def as unknown as Def;

const tries = 30;

/**
 * Something a schema accepts, as a caller would send it. `undefined` where a field may be left out.
 * @throws Error naming the field nothing known fits: add a candidate here.
 */
export function sampleOf(schema: z.ZodType, random: Random, path = 'input'): unknown {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const made = make(schema, random, path);
    if (schema.safeParse(made).success) return made;
  }
  throw new Error(
    `No sample fits ${path}: add what it accepts to the candidates in tests/kit/requests/samples.ts`,
  );
}

function make(schema: z.ZodType, random: Random, path: string): unknown {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape ?? {})
          .map(([name, field]) => [name, sampleOf(field, random, `${path}.${name}`)] as const)
          .filter(([, value]) => value !== undefined),
      );
    case 'optional':
    case 'default':
    case 'prefault':
      return random.chance(0.3) || !def.innerType ? undefined : make(def.innerType, random, path);
    case 'nullable':
      return random.chance(0.3) || !def.innerType ? null : make(def.innerType, random, path);
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return def.innerType && make(def.innerType, random, path);
    case 'array':
      return def.element ? [sampleOf(def.element, random, `${path}[]`)] : [];
    case 'record': {
      const { keyType, valueType } = def;
      if (!keyType || !valueType) return {};
      // One of names that are given has them all.
      const names = Object.values(defOf(keyType).entries ?? { any: sampleOf(keyType, random, path) });
      return Object.fromEntries(names.map((name) => [name, sampleOf(valueType, random, `${path}.${name}`)]));
    }
    case 'union':
      return make(random.pick(def.options ?? []), random, path);
    case 'enum':
      return random.pick(Object.values(def.entries ?? {}));
    case 'literal':
      return random.pick(def.values ?? []);
    case 'pipe':
      // What the first part takes may be far more than what the whole takes.
      return (
        fitting(schema, random) ??
        (def.in && defOf(def.in).type !== 'transform' ? make(def.in, random, path) : undefined)
      );
    default:
      return fitting(schema, random);
  }
}

function fitting(schema: z.ZodType, random: Random): unknown {
  const fits = candidates(random).filter((candidate) => schema.safeParse(candidate).success);
  return fits.length > 0 ? random.pick(fits) : undefined;
}
