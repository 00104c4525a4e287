import { hash } from 'node:crypto';
import { type ActingKey, type Actor, scopes } from '@talpa/contracts';
import { z } from 'zod';
import { boundedCache } from '../bounded-cache.ts';
import type { KeyRing } from '../key-ring.ts';
import { signClaims, verifyClaims } from './jwt.ts';

/** How long services believe an assertion, in ms. */
const lifetimeMs = 180_000;
/** How long auth gives the same assertion again, in ms: verifiers cache it, and it stays young enough to be passed on. */
const reuseMs = 60_000;
/** How far two machines' clocks may differ, in seconds. */
const clockTolerance = 30;
const cachedAssertions = 10_000;

/** An API key, in short. */
const key = z.object({
  id: z.int(),
  name: z.string(),
  scp: z.array(z.enum(scopes)),
  prx: z.array(z.int()).optional(),
  end: z.int().optional(),
});
const rights = z.object({
  adm: z.boolean(),
  sus: z.string().optional(),
  mail: z.literal(false).optional(),
  fac: z.literal(false).optional(),
  prv: z.int().optional(),
  key: key.optional(),
});

/** Signs what auth says about a session or an API key: who it is and what they may do. For auth alone. */
export function createAssertionSigner(keys: KeyRing): (actor: Actor) => string {
  const signed = boundedCache<string, string>(cachedAssertions, { ttl: reuseMs, perf: Date });
  return (actor) => {
    const { userId, sessionId, isAdmin, suspensionReason, lacksEmail, lacksFactor, provedAt, apiKey } = actor;
    const rest = [isAdmin, suspensionReason, lacksEmail, lacksFactor, provedAt, apiKey];
    const key = JSON.stringify([keys.current.id, userId, sessionId, ...rest]);
    const known = signed.get(key);
    if (known) return known;
    const expiresAt = new Date(
      Math.min(Date.now() + lifetimeMs, apiKey?.expiresAt ?? Number.POSITIVE_INFINITY),
    );
    const more = {
      adm: isAdmin,
      ...(suspensionReason === undefined ? {} : { sus: suspensionReason }),
      ...(lacksEmail ? { mail: false } : {}),
      ...(lacksFactor ? { fac: false } : {}),
      ...(provedAt === undefined ? {} : { prv: provedAt }),
      ...(apiKey ? { key: shortKey(apiKey) } : {}),
    };
    const text = signClaims(keys, 'assertion', { sessionId, userId, expiresAt }, more);
    signed.set(key, text);
    return text;
  };
}

const shortKey = ({ id, name, scopes: scp, proxyIds, expiresAt }: ActingKey): z.infer<typeof key> => ({
  id,
  name,
  scp: [...scp],
  ...(proxyIds ? { prx: [...proxyIds] } : {}),
  ...(expiresAt === null ? {} : { end: expiresAt }),
});

const longKey = ({ id, name, scp, prx, end }: z.infer<typeof key>): ActingKey => ({
  id,
  name,
  scopes: scp,
  proxyIds: prx ?? null,
  expiresAt: end ?? null,
});

/** Who an assertion speaks of; null when auth has not signed it, or too long ago. */
export type VerifyAssertion = (text: string) => Actor | null;

/** Checks each assertion's signature once, and caches it by its hash. */
export function createAssertionVerifier(keys: KeyRing): VerifyAssertion {
  const verified = boundedCache<string, { readonly actor: Actor; readonly until: number }>(cachedAssertions);
  return (text) => {
    const key = hash('sha256', text, 'base64');
    const known = verified.get(key);
    if (known) return known.until > Date.now() ? known.actor : null;
    const claims = verifyClaims(keys, 'assertion', text, rights, clockTolerance);
    if (!claims) return null;
    const { userId, sessionId, adm: isAdmin, sus, mail, fac, prv } = claims;
    // About one or the other: what it is about decides what it may do.
    if ((sessionId === null) !== (claims.key !== undefined)) return null;
    const user = {
      userId,
      isAdmin,
      ...(sus === undefined ? {} : { suspensionReason: sus }),
      ...(mail === false ? { lacksEmail: true as const } : {}),
      ...(fac === false ? { lacksFactor: true as const } : {}),
    };
    const actor: Actor =
      claims.key && sessionId === null
        ? { ...user, sessionId, apiKey: longKey(claims.key) }
        : { ...user, sessionId: sessionId ?? '', ...(prv === undefined ? {} : { provedAt: prv }) };
    verified.set(key, { actor, until: claims.expiresAt.getTime() + clockTolerance * 1_000 });
    return actor;
  };
}
