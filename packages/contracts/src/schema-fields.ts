import { z } from 'zod';

/** A schema within another one. */
export interface SchemaField {
  /** `policy.rules.[].match` */
  readonly path: string;
  readonly schema: z.ZodType;
  /** The length of the longest text that it, or something in it, takes. */
  readonly longest: number;
}

/** As a number is written. */
export const longestNumber = 32;

/** A schema and all that it consists of, at any depth. */
export function fieldsIn(schema: z.ZodType, path = ''): SchemaField[] {
  const within = partsOf(schema).flatMap(([name, part]) =>
    fieldsIn(part, name === '' ? path : [path, name].filter(Boolean).join('.')),
  );
  const own = isText(schema) ? (schema.maxLength ?? 0) : longestNumber;
  return [{ path, schema, longest: Math.max(own, ...within.map(({ longest }) => longest)) }, ...within];
}

/** What a schema consists of, by the name in a path; what only wraps something has none. A function is none. */
function partsOf(schema: z.ZodType): (readonly [string, z.ZodType])[] {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape as Record<string, z.ZodType>);
  if (schema instanceof z.ZodArray) return [['[]', schema.element as z.ZodType]];
  if (schema instanceof z.ZodUnion)
    return (schema.options as readonly z.ZodType[]).map((option) => ['', option]);
  if (schema instanceof z.ZodPipe)
    return [schema.in as z.ZodType, schema.out as z.ZodType]
      .filter(({ type }) => type !== 'transform')
      .map((part) => ['', part]);
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType ? [['', innerType]] : [];
}

/** Whether a schema is of texts. */
export const isText = (schema: z.ZodType): schema is z.ZodString => schema.type === 'string';
