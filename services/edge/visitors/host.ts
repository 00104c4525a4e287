import { domainToASCII } from 'node:url';

/** The host a visitor asks for. */
export interface VisitorHost {
  /** In ASCII and lower case, without port and trailing dot: what routes are found by. */
  readonly name: string;
  /** The name with the port the visitor typed: what the panel behind the tunnel must see. */
  readonly authority: string;
}

const plainName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
const ipv6 = /^\[[0-9a-f:.]+\]$/;
/** Characters of a host name and of each of its labels (RFC 1035, 2.3.4). */
export const longestName = 253;
const longestLabel = 63;
/** Bytes of a name of that length in UTF-8, its trailing dot and a port. */
const longestText = 4 * longestName + 7;
const maximumCached = 10_000;
const cache = new Map<string, VisitorHost | null>();

/**
 * Reads a Host header or `:authority`; null when it names no host.
 * @param text as it came: bytes as Latin-1, which is how Node gives headers.
 */
export function readHost(text: string): VisitorHost | null {
  // First of all: to read a long name in Punycode takes tens of milliseconds.
  if (text.length > longestText) return null;
  const known = cache.get(text);
  if (known !== undefined) return known;
  const host = parseHost(text);
  // Visitors choose what they ask for: the cache must not grow with it.
  if (cache.size >= maximumCached) cache.clear();
  if (text.length <= 300) cache.set(text, host);
  return host;
}

function parseHost(text: string): VisitorHost | null {
  const [, rawName = '', rawPort = ''] = text.match(/^(\[[^\]]*\]|[^:]*)(?::(\d{0,5}))?$/) ?? [];
  const name = nameOf(rawName);
  if (name === '' || !isWithinLimits(name)) return null;
  const port = Number(rawPort);
  if (port > 65_535) return null;
  return { name, authority: rawPort === '' ? name : `${name}:${port}` };
}

function nameOf(raw: string): string {
  const bare = raw.endsWith('.') ? raw.slice(0, -1) : raw;
  const lower = bare.toLowerCase();
  if (plainName.test(lower) || ipv6.test(lower)) return lower;
  if (/[^a-z0-9_.\x80-\xff-]/i.test(bare)) return '';
  const typed = Buffer.from(bare, 'latin1').toString('utf8');
  const ascii = isWithinLimits(typed) ? domainToASCII(typed) : '';
  return plainName.test(ascii) ? ascii : '';
}

function isWithinLimits(name: string): boolean {
  if (name.length <= longestLabel) return true;
  return name.length <= longestName && name.split('.').every(({ length }) => length <= longestLabel);
}
