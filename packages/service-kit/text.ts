/** The beginning of a text, in whole characters that take so many bytes (UTF-8) at most. */
export function firstBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const bytes = Buffer.from(text);
  let end = most;
  // A byte 10xxxxxx goes on with a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** What is kept of the name a browser gives itself. */
export const cutUserAgent = (userAgent: string): string => firstBytes(userAgent, 300);
