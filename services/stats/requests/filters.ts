import type { InternalCalls, LoggedRequest } from '@talpa/contracts';
import type { z } from 'zod';

type Input = z.output<InternalCalls['stats.readRequests']['input']>;
export type Filters = Pick<Input, 'method' | 'status' | 'reason' | 'path' | 'from' | 'to'>;

/** Makes the function that says whether a request fits: for those that are in memory alone. */
export function wantedBy({
  method,
  status,
  reason,
  path,
  from,
  to,
}: Filters): (one: LoggedRequest) => boolean {
  return (one) =>
    (method === undefined || one.method === method) &&
    (status === undefined || String(one.status)[0] === status[0]) &&
    (reason === undefined || (reason === 'any' ? one.reason !== null : one.reason === reason)) &&
    (path === undefined || one.path.startsWith(path)) &&
    (from === undefined || Date.parse(one.at) >= Date.parse(from)) &&
    (to === undefined || Date.parse(one.at) < Date.parse(to));
}
