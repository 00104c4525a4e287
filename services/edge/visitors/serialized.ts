import { cachedNameLength, isHopByHop } from './fields.ts';

/** The connector wraps the origin's headers in one of its own; these are its names. */
export const responseFieldsHeader = 'cf-cloudflared-response-headers';
export const responseMetaHeader = 'cf-cloudflared-response-meta';

/**
 * What belongs to the connector; what the edge alone says; and what would clear the cookies of all tunnels of the domain in a visitor's
 * browser.
 */
const notForwarded = /^(cf-(cloudflared|int|proxy)-.*|cf-ray|x-edge-error|clear-site-data)$/;
/** Bytes; more than any server sends, less than what hurts. */
const maximumLength = 128 * 1024;

/** Encoded names and what they mean; null: not for the visitor. */
const names = new Map<string, string | null>();

/**
 * The origin's headers from `base64(name):base64(value);…`, as names and values in turn, without what
 * concerns the origin's own connection.
 * @throws Error when the text has not that form.
 */
export function readSerializedFields(text: string): string[] {
  const fields: string[] = [];
  if (text === '') return fields;
  if (text.length > maximumLength) throw new Error('the connector sent too many headers');
  let named: Set<string> | undefined;
  for (const pair of text.split(';')) {
    const colon = pair.indexOf(':');
    if (colon < 1) throw new Error('the connector sent malformed headers');
    const name = nameOf(pair.slice(0, colon));
    if (name === null) continue;
    const value = decode(pair.slice(colon + 1));
    if (name.length === 10 && name.toLowerCase() === 'connection')
      named = addOptions(named ?? new Set(), value);
    else fields.push(name, value);
  }
  return named ? without(fields, named) : fields;
}

/** Whether the connector itself responded, because it could not reach the origin. */
export function isConnectorsOwn(meta: string | string[] | undefined): boolean {
  return typeof meta === 'string' && meta.includes('"src":"cloudflared"');
}

function nameOf(encoded: string): string | null {
  const known = names.get(encoded);
  if (known !== undefined) return known;
  const name = decode(encoded);
  const lower = name.toLowerCase();
  const hidden = lower !== 'connection' && (isHopByHop(lower) || notForwarded.test(lower));
  const verdict = hidden ? null : name;
  // A copy: a part of a text keeps the whole text in memory.
  if (names.size < 2_000 && name.length <= cachedNameLength) names.set(copyOf(encoded), verdict);
  return verdict;
}

const copyOf = (text: string) => Buffer.from(text, 'latin1').toString('latin1');

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

function addOptions(options: Set<string>, value: string): Set<string> {
  for (const option of value.toLowerCase().split(',')) options.add(option.trim());
  return options;
}

function without(fields: readonly string[], named: ReadonlySet<string>): string[] {
  // A Connection header that names the length or the type of the body does not mean it.
  return fields.filter((_, index) => {
    const name = (fields[index - (index % 2)] as string).toLowerCase();
    return !named.has(name) || name.startsWith('content-') || name === 'set-cookie';
  });
}
