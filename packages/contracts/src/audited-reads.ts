import type { Entry, Method } from './entry.ts';
import { isPersonal } from './personal-data.ts';
import { fieldsIn } from './schema-fields.ts';

/**
 * Whether a read leaves a row in the audit trail: it hands out a secret, takes data out as a whole, or shows an administrator what says
 * more of somebody than their name.
 */
export function mustBeAudited(method: Method, { access, secret, media, stepUp, response }: Entry): boolean {
  if (method !== 'GET') return false;
  const isExport = media === 'text/csv' || stepUp === true;
  const isOfOthers = access === 'admin' && fieldsIn(response).some(({ schema }) => isPersonal(schema));
  return secret === true || isExport || isOfOthers;
}
