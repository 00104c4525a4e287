import { METHODS } from 'node:http';
import { readClientHello } from '../visitors/client-hello.ts';

/** How requests begin, the preface of HTTP/2 among them. Text of other protocols names no path after such a word. */
const beginnings = [...METHODS, 'PRI']
  .flatMap((method) =>
    method === 'CONNECT' ? ['CONNECT '] : [`${method} /`, `${method} *`, `${method} http`],
  )
  .map((text) => Buffer.from(text));
/** A TLS handshake: the record's type, and the first byte of its version. */
const tlsBeginning = Buffer.from([22, 3]);
/** What browsers offer by ALPN. */
const webProtocols: readonly string[] = ['h2', 'http/1.1', 'http/1.0'];

/**
 * Whether a visitor's connection begins as a browser's does: with an HTTP request, or with TLS for one.
 * @param bytes the first that the visitor has sent
 * @returns undefined while more of them decide
 */
export function isForWeb(bytes: Buffer): boolean | undefined {
  if (beginnings.some((beginning) => startsWith(bytes, beginning))) return true;
  if (beginnings.some((beginning) => startsWith(beginning, bytes))) return undefined;
  if (!startsWith(bytes, tlsBeginning)) return startsWith(tlsBeginning, bytes) ? undefined : false;
  const hello = readClientHello(bytes);
  return hello === undefined ? undefined : !!hello?.protocols.some((name) => webProtocols.includes(name));
}

const startsWith = (bytes: Buffer, beginning: Buffer) =>
  bytes.length >= beginning.length &&
  bytes.compare(beginning, 0, beginning.length, 0, beginning.length) === 0;

/** Browsers look for a response's beginning in fewer of its first bytes; anything else is no page, but at port 80. */
export const longestSlop = 16;

/**
 * Looks at what a game server says before its visitor has said anything: a browser would take a response for the one to the request
 * that it is about to send, and with it cookies and scripts for the host.
 * @param bytes all it has said
 * @returns how many of them may pass by now; null when they are a response
 */
export function passable(bytes: Buffer): number | null {
  const text = bytes.subarray(0, longestSlop).toString('latin1').toLowerCase();
  if (/http|icy /.test(text)) return null;
  if (bytes.length >= longestSlop) return bytes.length;
  return text.length - (/(htt?|h|icy?|i)$/.exec(text)?.[0].length ?? 0);
}
