import type { NatsConnection } from '@nats-io/transport-node';
import type { Actor } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { CallInfo } from '@talpa/service-kit/bus/message';
import { callInternal } from '@talpa/service-kit/bus/request';
import { type CacheOwner, type CacheVersions, sessionsOf } from '@talpa/service-kit/cache-versions';
import type { SessionToken } from '@talpa/service-kit/session/token';
import type { ApiKeys, PresentedKey } from '../session/api-keys.ts';
import type { Sessions } from '../session/sessions.ts';

/** The cache versions under which a caller's responses may be cached. */
export interface RequesterVersions {
  /** The user's cache version; null: cache nothing. */
  readonly ownVersion: string | null;
  /** The cache version that all users share, where it was asked for; null: cache nothing. */
  readonly globalVersion: string | null;
}

/** Who sent a request. */
export interface Requester extends RequesterVersions {
  readonly actor: Actor | null;
  /** Auth's signature for the actor, passed on with each call. */
  readonly assertion: string | null;
}

export interface AuthenticateInput {
  /** What the cookie claims. */
  readonly claim: SessionToken | null;
  /** The API key that the request brings; then there is no claim. */
  readonly apiKey?: PresentedKey | null;
  /** Whether this counts as use of the session. */
  readonly use: boolean;
  readonly info: Omit<CallInfo, 'client'>;
  /** Whether the global cache version is needed too. */
  readonly isGlobal: boolean;
}

/** Finds out who sent a request. @throws AppError for an API key that does not count, or when auth cannot be asked: never taken for “signed out” */
export type Authenticate = (input: AuthenticateInput) => Promise<Requester>;

const readOne = async (cacheVersions: CacheVersions, owner: CacheOwner) =>
  (await cacheVersions.read([owner]))?.[0] ?? null;

/** Reads a user's own and the global cache version; both at once are one command. */
export async function readVersions(
  cacheVersions: CacheVersions,
  user: Pick<SessionToken, 'userId'> | null,
  isGlobal: boolean,
): Promise<RequesterVersions> {
  const read = (owner: CacheOwner) => readOne(cacheVersions, owner);
  const [ownVersion, globalVersion] = await Promise.all([
    user && read(user.userId),
    isGlobal ? read('global') : null,
  ]);
  return { ownVersion, globalVersion };
}

const nobody = { actor: null, assertion: null } as const;

/** The cache versions are read before anything is fetched: otherwise a stale response could be cached under a fresh version. */
export function createAuthenticate(
  nc: NatsConnection,
  sessions: Sessions,
  apiKeys: ApiKeys,
  cacheVersions: CacheVersions,
): Authenticate {
  return async ({ claim, apiKey, use, info, isGlobal }) => {
    const user = apiKey ? apiKeys.ownerOf(apiKey) : claim;
    const [read, sessionsVersion] = await Promise.all([
      readVersions(cacheVersions, user, isGlobal),
      user && readOne(cacheVersions, sessionsOf(user.userId)),
    ]);
    if (apiKey) {
      const signed = await apiKeys.actorOf(apiKey, sessionsVersion, ({ id, secret, address }) =>
        callInternal(nc, 'auth.authenticateApiKey', { id, secret, address }, info).catch((error) => {
          apiKeys.forget(apiKey);
          return noResponse(error);
        }),
      );
      return { ...signed, ...read };
    }
    if (!claim) return { ...nobody, ...read };
    const signed = await sessions.actorOf(claim, { ...read, sessionsVersion }, use, (token, isUse) =>
      callInternal(nc, 'auth.getSession', { token, use: isUse }, info).catch(noResponse),
    );
    return { ...(signed ?? nobody), ...read };
  };
}

/** Nothing has been done yet, so callers may just try again: that is not what a late response says. */
function noResponse(error: unknown): never {
  throw error instanceof AppError && error.code === 'deadline_exceeded'
    ? new AppError('service_unavailable', { cause: error })
    : error;
}
