import { z } from 'zod';

/** What says more of a person than their name: email and IP addresses, accounts elsewhere, the texts of their emails. */
const personalSchemas = z.registry();

/** Marks a schema of an output as personal data. */
export function personal<T extends z.ZodType>(schema: T): T {
  personalSchemas.add(schema);
  return schema;
}

/** Whether a schema is marked. */
export const isPersonal = (schema: z.ZodType): boolean => personalSchemas.has(schema);
