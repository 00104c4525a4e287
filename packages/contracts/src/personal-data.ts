import { z } from 'zod';
import type { Entry, Method } from './entry.ts';
import { fieldsIn } from './schema-fields.ts';

/** What says more of a person than their name: email and IP addresses, accounts elsewhere, the texts of their emails. */
const personalSchemas = z.registry();

/** Marks a schema of an output as personal data. */
export function personal<T extends z.ZodType>(schema: T): T {
  personalSchemas.add(schema);
  return schema;
}

/**
 * Whether a read leaves a row in the audit trail: it hands out a secret, takes data out as a whole, or shows an administrator what says
 * more of somebody than their name.
 */
export function mustBeAudited(method: Method, { access, secret, media, stepUp, response }: Entry): boolean {
  if (method !== 'GET') return false;
  const isExport = media === 'text/csv' || stepUp === true;
  const isOfOthers =
    access === 'admin' && fieldsIn(response).some(({ schema }) => personalSchemas.has(schema));
  return secret === true || isExport || isOfOthers;
}
