import { randomBytes } from 'node:crypto';
import { METHODS } from 'node:http';
import { Http2ServerRequest } from 'node:http2';
import { type Fields, readRequestFields } from './fields.ts';
import { readHost, type VisitorHost } from './host.ts';
import type { Visitor, VisitorRequest } from './visitor.ts';

/** A visitor's request, read. */
export interface ParsedRequest {
  readonly requestId: string;
  readonly host: VisitorHost;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly visitor: Visitor;
  /** What travels to the connector, pseudo-headers included. */
  readonly fields: Fields;
  readonly hasBody: boolean;
  /** The body's announced length. */
  readonly length: number | undefined;
}

const processPart = randomBytes(4).toString('hex');
let counter = randomBytes(4).readUInt32BE();

/** Names a request in logs, for visitors and for the panel behind; unique, and cheap to make. */
export function newRequestId(): string {
  counter = (counter + 1) >>> 0;
  return `${processPart}${counter.toString(16).padStart(8, '0')}-TLP`;
}

const methods: ReadonlySet<string> = new Set(METHODS);

/** Reads a request; null when it must not be passed on: no host, two of them, no path, or a method that nobody knows. */
export function parseRequest(
  request: VisitorRequest,
  visitor: Visitor,
  requestId: string,
): ParsedRequest | null {
  const { fields, host: named, chunked } = readRequestFields(request.rawHeaders);
  const target = readTarget(request.url ?? '');
  const { method = 'GET' } = request;
  // HTTP/1.1's parser knows no others; over HTTP/2 any could come, as `post`, which some read as POST.
  if (!target || named === null || !methods.has(method)) return null;
  // A target that names a host itself is right, whatever Host says (RFC 9112, 3.2.2).
  const host = readHost(target.host ?? named ?? '');
  if (!host) return null;
  const length = fields['content-length'] === undefined ? undefined : Number(fields['content-length']);
  const hasBody =
    request instanceof Http2ServerRequest
      ? !request.stream.endAfterHeaders
      : chunked || (length !== undefined && length > 0);
  fields[':method'] = method;
  fields[':scheme'] = visitor.scheme;
  fields[':authority'] = host.authority;
  fields[':path'] = validPath(target.path);
  // Without a wish cloudflared asks for gzip, and unpacks what it gets.
  if (!fields['accept-encoding']) fields['accept-encoding'] = 'identity';
  fields['x-forwarded-for'] = visitor.address;
  fields['x-forwarded-proto'] = visitor.scheme;
  fields['x-forwarded-host'] = host.authority;
  fields['cf-connecting-ip'] = visitor.address;
  fields['cf-ray'] = requestId;
  return { requestId, host, method, path: target.path, visitor, fields, hasBody, length };
}

/** What no URL's path has (RFC 3986), a lone percent sign included. */
const invalidInPath = /[^\w!$&'()*+,;=:@/[\]~.%-]|%(?![0-9a-f]{2})/gi;

/**
 * Encodes what no path has: cloudflared refuses a percent sign without two digits, and for any other such byte it decodes the whole
 * path and encodes it anew, so that %2F becomes a slash.
 */
function validPath(target: string): string {
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  if (path.search(invalidInPath) < 0) return target;
  const encoded = path.replace(invalidInPath, (byte) => encodeByte(byte.charCodeAt(0)));
  return query < 0 ? encoded : encoded + target.slice(query);
}

const encodeByte = (code: number) => `%${code.toString(16).toUpperCase().padStart(2, '0')}`;

function readTarget(url: string): { readonly path: string; readonly host?: string } | null {
  if (url.startsWith('/') || url === '*') return { path: url };
  const [, host, path = ''] = url.match(/^https?:\/\/([^/?#]+)(.*)$/i) ?? [];
  if (host === undefined) return null;
  return { host, path: path.startsWith('/') ? path : `/${path}` };
}
