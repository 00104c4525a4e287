import { z } from 'zod';
import type { Entry, Method } from './entry.ts';
import { isExtensible } from './fields.ts';
import { type Issue, issuesOf } from './issues.ts';

type Path = Issue['path'];
type Fields = Readonly<Record<string, unknown>>;

/** No more are named: each name makes an entry of the response. */
const mostNamed = 20;
/** What is repeated of a name. */
const longestName = 100;

/** What of an input a call does not take: fields that it does not know, and lists that are too long to look at. */
export interface Strays {
  /** Unknown fields, by name. */
  readonly unknown: readonly Issue[];
  /** While there are any, the rest of the input is not looked at. */
  readonly tooLong: readonly Issue[];
}

/**
 * Fields of an input that its call does not know, at any depth: a misspelt restriction would otherwise restrict nothing. A PUT may send
 * back what it responds with: those fields are read-only, and ignored if they could be what was read.
 * @param given the query or the body
 * @param params the values in the path
 */
export function straysIn(
  { input, response }: Pick<Entry, 'input' | 'response'>,
  method: Method,
  given: Fields,
  params: Fields,
): Strays {
  const isOwn = (name: string) => Object.hasOwn(input.shape, name) && !Object.hasOwn(params, name);
  const shape = Object.fromEntries(Object.entries(input.shape).filter(([name]) => isOwn(name)));
  const readOnly = method === 'PUT' && response instanceof z.ZodObject ? response.shape : {};
  const id = Object.values(params).at(-1);
  const strays = { unknown: [] as Issue[], tooLong: [] as Issue[] };
  const name = (path: Path, key: Issue['key']) => {
    if (strays.unknown.length < mostNamed) strays.unknown.push({ path: path.map(short), key });
  };

  const lookAtFields = (known: Fields, fields: Fields, path: Path, more: Fields, isOpen = false) => {
    for (const [field, value] of Object.entries(fields)) {
      const place = [...path, field];
      if (Object.hasOwn(known, field)) lookAt(known[field] as z.ZodType, value, place);
      else if (isOpen) continue;
      else if (!Object.hasOwn(more, field)) name(place, 'unknownField');
      else if (!(more[field] as z.ZodType).safeParse(value).success || !isSameId(field, value))
        name(place, 'readOnly');
    }
  };
  const isSameId = (field: string, value: unknown) => field !== 'id' || String(value) === id;
  const lookAt = (schema: z.ZodType, value: unknown, path: Path): void => {
    const plain = unwrapped(schema, value);
    if (plain instanceof z.ZodObject && isFields(value))
      lookAtFields(
        plain.shape,
        value,
        path,
        path.length === 1 && path[0] === 'expected' ? readOnly : {},
        isExtensible(plain),
      );
    if (!(plain instanceof z.ZodArray) || !Array.isArray(value)) return;
    if (value.length > Number(plain._zod.bag.maximum ?? Number.POSITIVE_INFINITY)) {
      const { error } = new z.ZodArray({ ...plain.def, element: z.unknown() }).safeParse(value);
      if (error) strays.tooLong.push(...issuesOf(error).map((issue) => ({ ...issue, path })));
    } else
      for (const [index, one] of value.entries()) lookAt(plain.element as z.ZodType, one, [...path, index]);
  };

  lookAtFields(shape, given, [], readOnly);
  return strays;
}

/** What a schema says of a value, without what wraps it: the object, the list, or something else. */
function unwrapped(schema: z.ZodType, value: unknown): z.ZodType {
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    const tag = isFields(value) ? value[discriminator] : undefined;
    const options = schema.options as readonly z.ZodObject<Record<string, z.ZodType>>[];
    return options.find(({ shape }) => shape[discriminator]?.safeParse(tag).success) ?? z.unknown();
  }
  if (schema instanceof z.ZodPipe) {
    const before = schema.def.in as z.ZodType;
    return unwrapped(before.type === 'transform' ? (schema.def.out as z.ZodType) : before, value);
  }
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType ? unwrapped(innerType, value) : schema;
}

const short = (part: string | number) => (typeof part === 'string' ? part.slice(0, longestName) : part);

/** Whether something is an object of JSON. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
