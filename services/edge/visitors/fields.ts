import { serviceTokenHeader } from '@talpa/contracts/service-token-header';
import { isForgeable } from './forgeable.ts';
import { withoutWallCookies } from './wall/cookies.ts';

/** What an endpoint sends to its neighbor alone (RFC 9110, 7.6.1), and what older software does. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Given once; a repetition is ignored, as Node's own servers do. */
const single: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'if-modified-since',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'user-agent',
  'x-content-type-options',
]);
/** Lists that Node's HTTP/2 takes as one value alone. */
const joined: ReadonlySet<string> = new Set(['if-match', 'if-none-match']);

type Fate = 'keep' | 'single' | 'join' | 'cookie' | 'host' | 'connection' | 'coding' | 'te' | 'drop';

/** A name that is longer is judged each time: senders choose it, and it would stay in memory. */
export const cachedNameLength = 64;
/** The names seen so far: a name is judged once, not at each request. */
const fates = new Map<string, { readonly name: string; readonly fate: Fate }>();

function fateOf(raw: string): { readonly name: string; readonly fate: Fate } {
  const known = fates.get(raw);
  if (known) return known;
  const name = raw.toLowerCase();
  const verdict = { name, fate: judge(name) };
  if (fates.size < 2_000 && raw.length <= cachedNameLength) fates.set(raw, verdict);
  return verdict;
}

function judge(name: string): Fate {
  // CGI and WSGI make an underscore of a hyphen, and some servers of any mark: such a name would pass for the one with hyphens.
  if (name.includes('_')) return 'drop';
  const plain = name.startsWith(':') ? name : name.replace(/[^a-z0-9]/g, '-');
  if (plain !== name) return judge(plain) === 'keep' ? 'keep' : 'drop';
  if (name === 'host' || name === ':authority') return 'host';
  if (name === 'connection') return 'connection';
  if (name === 'cookie') return 'cookie';
  if (name === 'transfer-encoding') return 'coding';
  if (name === 'te') return 'te';
  // Expectations are the edge's to meet; a body's length is passed to HTTP/2 unchanged.
  if (name.startsWith(':') || name === 'expect' || hopByHop.has(name)) return 'drop';
  // A program's token is none of the origin's business.
  if (name === serviceTokenHeader) return 'drop';
  if (isForgeable(name)) return 'drop';
  if (joined.has(name)) return 'join';
  return single.has(name) ? 'single' : 'keep';
}

/** A request's headers as they travel on: lower case, one value or several. */
export type Fields = Record<string, string | string[]>;

/** What a visitor's headers say. */
export interface ReadFields {
  /** What travels on: nothing of this hop, nothing a visitor could forge. */
  readonly fields: Fields;
  /** The one host named; undefined when none is, null when two different ones are. */
  readonly host: string | null | undefined;
  /** The body comes in chunks, of a length nobody knows. */
  readonly chunked: boolean;
}

/** @param raw names and values in turn, as Node gives them. */
export function readRequestFields(raw: readonly string[]): ReadFields {
  const fields: Fields = Object.create(null);
  let host: string | null | undefined;
  let connection: string | undefined;
  let chunked = false;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const value = raw[index + 1] as string;
    const { name, fate } = fateOf(raw[index] as string);
    if (fate === 'drop') continue;
    if (fate === 'host') host = host === undefined || host === value ? value : null;
    else if (fate === 'connection') connection = connection === undefined ? value : `${connection},${value}`;
    else if (fate === 'coding') chunked = true;
    // Of what TE may say, only this means something beyond the next hop (gRPC asks for it).
    else if (fate === 'te') {
      if (value.includes('trailers')) fields.te = 'trailers';
    } else {
      const before = fields[name];
      if (before === undefined) fields[name] = value;
      else if (fate === 'cookie') fields[name] = `${before}; ${value}`;
      else if (fate === 'join') fields[name] = `${before}, ${value}`;
      else if (fate === 'keep' && Array.isArray(before)) before.push(value);
      else if (fate === 'keep') fields[name] = [before as string, value];
    }
  }
  if (connection !== undefined) dropNamed(fields, connection);
  dropWallCookies(fields);
  return { fields, host, chunked };
}

/** What lets a visitor pass the wall is none of the origin's business. */
function dropWallCookies(fields: Fields): void {
  const { cookie } = fields;
  if (typeof cookie !== 'string' || !cookie.includes('talpa-access')) return;
  const kept = withoutWallCookies(cookie);
  if (kept === undefined) delete fields.cookie;
  else fields.cookie = kept;
}

/** Removes the headers that a Connection header names; those that carry the message itself stay. */
function dropNamed(fields: Fields, connection: string): void {
  if (connection === 'keep-alive' || connection === 'close') return;
  for (const option of connection.toLowerCase().split(',')) {
    const name = option.trim();
    if (!staysAnyway.has(name)) delete fields[name];
  }
}

/** Naming these in Connection would let a visitor change what the panel is sent. */
const staysAnyway: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'cookie',
  'origin',
]);

/** Whether a header may follow a request's body. @param name in lower case. */
export function mayTrail(name: string): boolean {
  return fateOf(name).fate === 'keep' && !name.startsWith('content-');
}

/** Whether a response's header concerns the origin's own connection alone. */
export function isHopByHop(lowerName: string): boolean {
  return hopByHop.has(lowerName);
}
