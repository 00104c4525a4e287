import { z } from 'zod';
import { boundedCache } from '../bounded-cache.ts';
import type { KeyRing } from '../key-ring.ts';
import { type Claims, signClaims, verifyClaims } from './jwt.ts';

/** What a session cookie claims. */
export interface SessionToken extends Claims {
  readonly sessionId: string;
  /** The JWT itself, which proves the claim to auth. */
  readonly jwt: string;
}

/** The cookie's content: a JWT that lives as long as its session. */
export const signSession = (keys: KeyRing, claims: Claims): string => signClaims(keys, 'session', claims);

/** What a cookie says, or null when it is not ours, was changed, or has expired. */
export function verifySession(keys: KeyRing, jwt: string): SessionToken | null {
  const claims = verifyClaims(keys, 'session', jwt, z.object({ sid: z.uuid() }));
  return claims && { ...claims, sessionId: claims.sid, jwt };
}

const cachedTokens = 20_000;
const longestToken = 1_024;

const isLive = ({ expiresAt }: SessionToken) => expiresAt.getTime() > Date.now();

/** `verifySession` that checks each JWT's signature once. */
export function createTokenVerifier(keys: KeyRing): (jwt: string) => SessionToken | null {
  const tokens = boundedCache<string, SessionToken>(cachedTokens);
  return (jwt) => {
    const known = tokens.get(jwt);
    const token = known ?? (jwt.length <= longestToken ? verifySession(keys, jwt) : null);
    if (!token || !isLive(token)) return null;
    if (!known) tokens.set(jwt, token);
    return token;
  };
}
