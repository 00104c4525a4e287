/** What the origin says to small requests. */
export const small = Buffer.from(JSON.stringify({ ok: true, filler: 'x'.repeat(1_000) }));

/** No chunk, window or buffer has this length: a piece that comes at another place is another piece. */
const period = 999_983;
const longest = 1_048_576;
const bytes = Buffer.alloc(period + longest);
for (let at = 0; at < bytes.length; at += 1) bytes[at] = ((at % period) * 31 + ((at % period) >> 8)) % 251;

/** The bytes of a large body from there on: at most a megabyte. */
export const piece = (at: number, length: number): Buffer =>
  bytes.subarray(at % period, (at % period) + Math.min(length, longest));

/** Checks the pieces of a large body as they come. @throws Error at the first byte that is another. */
export class Checked {
  received = 0;
  take(data: Buffer): void {
    for (let at = 0; at < data.length; at += longest) {
      const part = data.subarray(at, at + longest);
      if (!part.equals(piece(this.received, part.length)))
        throw new Error(`wrong bytes after ${this.received}`);
      this.received += part.length;
    }
  }
}
