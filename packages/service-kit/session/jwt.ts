import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { KeyRing } from '../key-ring.ts';

/** What a JWT of auth is for: none counts as the other. */
type Purpose = 'session' | 'assertion' | 'challenge';

const issuer = 'talpa';
/** What every JWT of auth says: user, end (seconds since the epoch), and the session if it is about one. */
const commonClaims = z.object({
  sid: z.uuid().nullable().default(null),
  sub: z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number),
  exp: z.int().transform((seconds) => new Date(seconds * 1_000)),
});

/** The claims of every JWT. */
export interface Claims {
  /** Null: it is about an API key. */
  readonly sessionId: string | null;
  readonly userId: number;
  readonly expiresAt: Date;
}

/**
 * Signs claims with ES256, as auth alone can.
 * @param more further claims, by their names in the JWT
 */
export function signClaims(
  keys: KeyRing,
  purpose: Purpose,
  { sessionId, userId, expiresAt }: Claims,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const payload = {
    ...more,
    ...(sessionId === null ? {} : { sid: sessionId }),
    exp: Math.floor(expiresAt.getTime() / 1_000),
  };
  return jwt.sign(payload, keys.current.key, {
    algorithm: 'ES256',
    keyid: keys.current.id,
    issuer,
    audience: purpose,
    subject: String(userId),
  });
}

/**
 * What a JWT says, or null when auth did not sign it for this purpose, it was changed, or it has expired.
 * @param more the further claims, which must be there in this shape
 * @param clockTolerance how far two machines' clocks may differ, in seconds
 */
export function verifyClaims<T extends object>(
  keys: KeyRing,
  purpose: Purpose,
  text: string,
  more: z.ZodType<T>,
  clockTolerance = 0,
): (Claims & T) | null {
  try {
    const header = jwt.decode(text, { complete: true })?.header;
    const key = keys.byId(header?.kid ?? '');
    if (!key) return null;
    const options = { algorithms: ['ES256' as const], issuer, audience: purpose, clockTolerance };
    const payload = jwt.verify(text, key, options);
    const { sid, sub, exp } = commonClaims.parse(payload);
    return { ...more.parse(payload), sessionId: sid, userId: sub, expiresAt: exp };
  } catch {
    return null;
  }
}
