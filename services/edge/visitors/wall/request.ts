import type { ParsedRequest } from '../parse-request.ts';
import type { GateWall } from '../ports.ts';
import { type VisitorResponse, writeHead } from '../respond.ts';
import type { VisitorRequest } from '../visitor.ts';

/** A request that meets the wall. */
export interface WallRequest {
  readonly request: VisitorRequest;
  readonly response: VisitorResponse;
  readonly parsed: ParsedRequest;
  readonly wall: GateWall;
  /** It asks for another protocol. */
  readonly isUpgrade: boolean;
  /** The visitor waits for a go-ahead before they send the body. */
  readonly expectsContinue: boolean;
}

/** Characters of a query of ours; a longer one has no fields. */
const longestQuery = 4_096;

/** The fields of its query. */
export function queryOf({ path }: ParsedRequest): URLSearchParams {
  const query = path.split('?', 2)[1] ?? '';
  return new URLSearchParams(query.length > longestQuery ? '' : query);
}

/** Whether a browser opens a page, and does not fetch a part of one. */
export function isNavigation({ headers }: VisitorRequest, method: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? /\btext\/html\b/i.test(headers.accept ?? '') : mode === 'navigate';
}

/** A form that another host has sent passes nobody: other hosts of the domain, which is the same site, are other users' panels. */
export function isOwnForm({ headers }: VisitorRequest, { host, visitor }: ParsedRequest): boolean {
  const { origin } = headers;
  // `null`: the page lets no referrer out.
  if (origin === undefined || origin === 'null')
    return ['same-origin', 'none', undefined].includes(headers['sec-fetch-site']);
  return origin === `${visitor.scheme}://${host.authority}`;
}

/** Sends a browser elsewhere. */
export function redirect(met: WallRequest, location: string, cookies: readonly string[]): void {
  const fields = [
    'location',
    location,
    'cache-control',
    'no-store',
    'referrer-policy',
    'no-referrer',
    'content-length',
    '0',
  ];
  for (const cookie of cookies) fields.push('set-cookie', cookie);
  send(met, 303, fields, null);
}

/** Answers a request that meets the wall. */
export function send(
  { response, parsed }: WallRequest,
  status: number,
  fields: string[],
  body: Buffer | null,
): void {
  writeHead(response, status, [...fields, 'cf-ray', parsed.requestId]);
  if (body === null || parsed.method === 'HEAD') response.end();
  else response.end(body);
}
