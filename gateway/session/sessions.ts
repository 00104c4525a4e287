import type { IncomingMessage } from 'node:http';
import type { Actor } from '@talpa/contracts';
import { boundedCache } from '@talpa/service-kit/bounded-cache';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import { createAssertionVerifier } from '@talpa/service-kit/session/assertion';
import { createTokenVerifier, type SessionToken } from '@talpa/service-kit/session/token';
import { type Cache, createCache, maximumAgeMs } from '../cache/cache.ts';
import type { SessionCookie } from './cookie.ts';

/**
 * Asks auth about a session: what it has signed about it, or null when it has ended. `use` counts for the idle limit.
 * @param token the cookie's JWT
 */
export type AskSession = (token: string, use: boolean) => Promise<{ readonly assertion: string } | null>;

/** Who a session belongs to, and auth's signature for it, which goes on with each call. */
interface SignedActor {
  readonly actor: Actor;
  readonly assertion: string;
}

/** Who a request comes from. */
export interface Sessions {
  readonly cookie: SessionCookie;
  /** What a JWT says, or null when it is not ours or has expired. Checks each JWT's signature once. */
  verify(jwt: string): SessionToken | null;
  /** What the request's cookie claims; whether that session still lives is `actorOf`'s question. */
  claimOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): SessionToken | null;
  /**
   * Who the claimed session belongs to now, or null when it has ended.
   * @param versions read before this call; null when there is none: then auth is asked.
   * @throws AppError when auth cannot be asked; Error when another has responded in its name.
   */
  actorOf(
    claim: SessionToken,
    versions: SessionVersions,
    use: boolean,
    ask: AskSession,
  ): SignedActor | null | Promise<SignedActor | null>;
  /** Whether auth has said that this session has ended. It may be forgotten again. */
  hasEnded(claim: SessionToken): boolean;
  /** The same as `actorOf`, when nobody has to be asked for it and its use is counted already; undefined otherwise. */
  cachedActor(claim: SessionToken, version: string): SignedActor | null | undefined;
}

/** The cache versions of a session's user. */
interface SessionVersions {
  /** Of everything of theirs: a cached read needs no other. */
  readonly ownVersion: string | null;
  /** Of their sessions alone: auth need not be asked again because something else of theirs has changed. */
  readonly sessionsVersion: string | null;
}

const maximumSessions = 20_000;
const maximumEnded = 50_000;

const isLive = ({ expiresAt }: SessionToken) => expiresAt.getTime() > Date.now();

interface CachedSession {
  readonly signed: SignedActor | null;
  /** ms since the epoch */
  readonly expiresAt: number;
}

/** Sessions as the gateway knows them: signatures by itself, everything else from auth. */
export function createSessions(keys: KeyRing, cookie: SessionCookie): Sessions {
  const verify = createTokenVerifier(keys);
  const verifyAssertion = createAssertionVerifier(keys);
  const cacheOf = (name: string) =>
    createCache<CachedSession>(
      name,
      maximumSessions,
      () => 1,
      ({ expiresAt }) => expiresAt,
    );
  const sessions = cacheOf('sessions');
  const askedSessions = cacheOf('asked-sessions');

  const ended = boundedCache<string, true>(maximumEnded);
  const askSigned = async (
    claim: SessionToken,
    use: boolean,
    ask: AskSession,
  ): Promise<SignedActor | null> => {
    const response = await ask(claim.jwt, use);
    if (!response) {
      ended.set(claim.sessionId, true);
      return null;
    }
    const actor = verifyAssertion(response.assertion);
    if (actor?.sessionId !== claim.sessionId || actor.userId !== claim.userId)
      throw new Error('the response about a session was not signed by auth for this session');
    return { actor, assertion: response.assertion };
  };
  /** A browser sends the same cookie again on a connection: comparing costs a tenth of looking it up. */
  const claims = new WeakMap<object, { readonly header: string; readonly token: SessionToken }>();
  const counted = (claim: SessionToken, version: string) => `${claim.sessionId} ${version}`;
  /** What was asked for a ping has not been counted as use: another request must ask for itself. */
  const find = (
    cache: Cache<CachedSession>,
    used: string,
    use: boolean,
    fetch: () => Promise<CachedSession>,
  ) => (use ? cache.getOrFetch(used, fetch) : (cache.get(used) ?? cache.getOrFetch(`${used} unused`, fetch)));
  return {
    cookie,
    verify,
    claimOf: ({ headers: { cookie: header }, socket }) => {
      if (header === undefined) return null;
      const last = claims.get(socket);
      if (last?.header === header && isLive(last.token)) return last.token;
      const jwt = cookie.read(header);
      const token = jwt ? verify(jwt) : null;
      if (token) claims.set(socket, { header, token });
      return token;
    },
    actorOf: (claim, { ownVersion, sessionsVersion }, use, ask) => {
      if (ownVersion === null || sessionsVersion === null) return askSigned(claim, use, ask);
      const fetch = async () => {
        const expiresAt = Date.now() + maximumAgeMs;
        return { signed: await askSigned(claim, use, ask), expiresAt };
      };
      const cached = find(sessions, counted(claim, ownVersion), use, async () =>
        find(askedSessions, counted(claim, sessionsVersion), use, fetch),
      );
      return cached instanceof Promise ? cached.then(({ signed }) => signed) : cached.signed;
    },
    hasEnded: ({ sessionId }) => ended.has(sessionId),
    cachedActor: (claim, version) => sessions.get(counted(claim, version))?.signed,
  };
}
