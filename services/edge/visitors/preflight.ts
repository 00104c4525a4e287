import type { Fields } from './fields.ts';
import type { ParsedRequest } from './parse-request.ts';

/** How long the origin may take for one, in ms. */
const longestMs = 60_000;
/** What reaches the origin of a preflight, beside what the edge says itself: nothing that signs anybody in. */
const kept =
  /^(?::|x-forwarded-|cf-|(?:origin|host|user-agent|access-control-request-(?:method|headers|private-network|local-network))$)/;

/** Whether a request is a CORS preflight, and nothing else: browsers send it without cookies, so it passes no wall. */
export function isPreflight({ method, fields, hasBody, length }: ParsedRequest): boolean {
  const isGiven = (name: string) => typeof fields[name] === 'string' && fields[name] !== '';
  const isBare = !hasBody && (length ?? 0) === 0;
  return method === 'OPTIONS' && isBare && isGiven('origin') && isGiven('access-control-request-method');
}

/** Leaves of a preflight what makes it one. @returns until when it may take, by `Date.now()` */
export function stripPreflight(fields: Fields): number {
  for (const name of Object.keys(fields)) if (!kept.test(name)) delete fields[name];
  // As of any request without one: cloudflared would ask for gzip, and unpack what it gets.
  fields['accept-encoding'] = 'identity';
  return Date.now() + longestMs;
}
