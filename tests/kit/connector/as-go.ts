import type { IncomingMessage } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http2';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Bytes that Go's net/url leaves as they are in a path. */
const plain = /^[\w!$&'()*+,;=:@/[\]~.%-]*$/;
const malformed = /%(?![0-9a-fA-F]{2})/;

/**
 * A request's target as cloudflared, written in Go, sends it to the origin.
 * @returns null where it refuses the request.
 */
export function targetAsGo(target: string): string | null {
  const [path = '', ...query] = target.split('?');
  if (malformed.test(path)) return null;
  if (plain.test(path)) return target;
  const bytes = path.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const encoded = bytes.replace(
    /[^\w$&+,/:;=@~.-]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return [encoded, ...query].join('?');
}

/** Whether Go asks for gzip itself, and unpacks what it gets: where the request says nothing of it. */
export function asksForGzip(headers: IncomingHttpHeaders): boolean {
  return !headers['accept-encoding'] && !headers.range && headers[':method'] !== 'HEAD';
}

/** A response whose request Go has added gzip to: its fields and its body. */
export function unpackAsGo(response: IncomingMessage): { rawHeaders: string[]; body: Readable } {
  const { rawHeaders } = response;
  if (response.headers['content-encoding'] !== 'gzip') return { rawHeaders, body: response };
  const isGone = (index: number) =>
    /^content-(encoding|length)$/i.test(rawHeaders[index - (index % 2)] ?? '');
  return { rawHeaders: rawHeaders.filter((_, index) => !isGone(index)), body: response.pipe(createGunzip()) };
}
