import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares an Authorization header with the one accepted token, in constant time. */
export function createTokenCheck(token: string): (authorization: string | undefined) => boolean {
  // Digests have one length, whatever was sent.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(`Bearer ${token}`);
  return (authorization) => timingSafeEqual(digest(authorization ?? ''), expected);
}
