import { constants, Http2ServerRequest } from 'node:http2';
import { resetStream } from '../reset.ts';
import type { VisitorRequest } from '../visitor.ts';

const maximum = 4_096;
/** A form has so long to come. It is no request to the origin, so it counts in no limit of those. */
const patienceMs = 15_000;

/** The fields of a form; null: it is no form, too long, was broken off, or takes too long and was cut. */
export async function readForm(
  request: VisitorRequest,
  withinMs = patienceMs,
): Promise<URLSearchParams | null> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return null;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (request instanceof Http2ServerRequest) resetStream(request.stream, constants.NGHTTP2_CANCEL);
    else request.destroy();
  }, withinMs);
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
  } finally {
    clearTimeout(timer);
  }
  return isLate ? null : new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
}
