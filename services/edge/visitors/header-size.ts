/** The largest head a visitor may send: request line, names and values, in bytes. */
export const maximumRequestHeaders = 16_384;
/** The largest head of a response, as HTTP/2 counts it; nghttp2 sends none above 65 536 bytes. */
export const maximumResponseHeaders = 60_000;

/** What HTTP/2 counts for a header besides its name and value (RFC 9113, 6.5.2). */
const perField = 32;

/** Bytes of names and values in turn. */
export function sizeOfPairs(pairs: readonly string[]): number {
  let size = (pairs.length / 2) * perField;
  for (const text of pairs) size += text.length;
  return size;
}

/** Bytes of headers as Node gives them. */
export function sizeOfFields(fields: Readonly<Record<string, unknown>>): number {
  let size = 0;
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value])
      size += name.length + String(one).length + perField;
  return size;
}

/** Bytes of a request's head as it was written in HTTP/1.1. */
export function sizeOfRequest(url: string, pairs: readonly string[]): number {
  let size = url.length;
  for (const text of pairs) size += text.length + 2;
  return size;
}
