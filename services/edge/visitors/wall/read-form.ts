import type { VisitorRequest } from '../visitor.ts';

const maximum = 4_096;

/** The fields of a form; null: it is no form, too long, or was broken off. */
export async function readForm(request: VisitorRequest): Promise<URLSearchParams | null> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return null;
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of request) {
      size += (piece as Buffer).length;
      if (size > maximum) return null;
      pieces.push(piece as Buffer);
    }
  } catch {
    return null;
  }
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
}
