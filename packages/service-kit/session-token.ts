import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { KeyRing } from './key-ring.ts';

export interface SessionToken {
  readonly sessionId: string;
  readonly userId: number;
  readonly expiresAt: Date;
}

const issuer = 'talpa';
const claims = z.object({ sid: z.uuid(), sub: z.string().regex(/^\d{1,16}$/), exp: z.int() });

/** The cookie's content: a JWT that lives as long as its session. */
export function signSession(keys: KeyRing, token: SessionToken): string {
  const payload = { sid: token.sessionId, exp: Math.floor(token.expiresAt.getTime() / 1_000) };
  return jwt.sign(payload, keys.current.key, {
    algorithm: 'HS256',
    keyid: keys.current.id,
    issuer,
    subject: String(token.userId),
  });
}

/** What a cookie says, or null when it is not ours, was changed, or has expired. */
export function verifySession(keys: KeyRing, text: string): SessionToken | null {
  try {
    const header = jwt.decode(text, { complete: true })?.header;
    const key = keys.byId(header?.kid ?? '');
    if (!key) return null;
    const payload = claims.parse(jwt.verify(text, key, { algorithms: ['HS256'], issuer }));
    return {
      sessionId: payload.sid,
      userId: Number(payload.sub),
      expiresAt: new Date(payload.exp * 1_000),
    };
  } catch {
    return null;
  }
}
