import type { z } from 'zod';

/** A schema that is made from a table. Of such a union zod knows only that it has fields; the table's type says which. */
export const typed = <T>(schema: z.ZodType): z.ZodType<T, T> => schema as z.ZodType<T, T>;
