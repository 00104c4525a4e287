import { hash } from 'node:crypto';
import type { KeyActor } from '@talpa/contracts';
import { boundedCache } from '@talpa/service-kit/bounded-cache';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import { createAssertionVerifier } from '@talpa/service-kit/session/assertion';
import { createCache, maximumAgeMs } from '../cache/cache.ts';

/** An API key as a request brings it, and from where. */
export interface PresentedKey {
  readonly id: number;
  readonly secret: string;
  readonly address: string;
  /** Of id, secret and address: under it the key is known here, because auth decides from where it may be used. */
  readonly hash: string;
}

interface SignedKey {
  readonly actor: KeyActor;
  readonly assertion: string;
}

/** Asks auth about a key. @throws AppError for one that does not count */
export type AskKey = (key: PresentedKey) => Promise<{ readonly assertion: string }>;

/** API keys as this gateway knows them. */
export interface ApiKeys {
  /** Whose key it is, once auth has accepted it from this address; a key never changes its owner. */
  ownerOf(key: PresentedKey): { readonly userId: number } | null;
  /** Forgets a key that auth has refused. */
  forget(key: PresentedKey): void;
  /**
   * Who acts with the key.
   * @param version that of its owner's sessions, read before this call; null: auth is asked
   * @throws AppError what auth throws; Error when somebody else has answered in its name
   */
  actorOf(key: PresentedKey, version: string | null, ask: AskKey): SignedKey | Promise<SignedKey>;
}

const maximumKeys = 20_000;
const bearer = /^bearer +/i;
const pattern = /^talpa_(\d{1,15})_([\da-f]{64})$/;

/** Whether a request brings a Bearer token: then its cookies count for nothing. */
export const hasBearer = (authorization: string | undefined): authorization is string =>
  authorization !== undefined && bearer.test(authorization);

/** The key that a Bearer token is; null: it cannot be one. */
export function presentedKey(authorization: string, address: string): PresentedKey | null {
  const [text, id, secret = ''] = pattern.exec(authorization.replace(bearer, '').trim()) ?? [];
  if (text === undefined) return null;
  return { id: Number(id), secret, address, hash: hash('sha256', `${text} ${address}`, 'base64') };
}

interface CachedKey {
  readonly signed: SignedKey;
  /** ms since the epoch */
  readonly expiresAt: number;
}

export function createApiKeys(keys: KeyRing): ApiKeys {
  const verify = createAssertionVerifier(keys);
  const owners = boundedCache<string, { readonly userId: number }>(maximumKeys);
  const cached = createCache<CachedKey>(
    'api-keys',
    maximumKeys,
    () => 1,
    ({ expiresAt }) => expiresAt,
  );
  const askSigned = async (key: PresentedKey, ask: AskKey): Promise<SignedKey> => {
    const { assertion } = await ask(key);
    const actor = verify(assertion);
    if (!actor?.apiKey || actor.apiKey.id !== key.id)
      throw new Error('the response about an API key was not signed by auth for this key');
    owners.set(key.hash, { userId: actor.userId });
    return { actor, assertion };
  };
  return {
    ownerOf: ({ hash }) => owners.get(hash) ?? null,
    forget: ({ hash }) => owners.delete(hash),
    actorOf: (key, version, ask) => {
      if (version === null) return askSigned(key, ask);
      const fetch = async () => {
        const until = Date.now() + maximumAgeMs;
        const signed = await askSigned(key, ask);
        return { signed, expiresAt: Math.min(until, signed.actor.apiKey.expiresAt ?? until) };
      };
      const found = cached.getOrFetch(`${key.hash} ${version}`, fetch);
      return found instanceof Promise ? found.then(({ signed }) => signed) : found.signed;
    },
  };
}
