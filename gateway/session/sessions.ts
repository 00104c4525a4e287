import type { IncomingMessage } from 'node:http';
import type { Actor } from '@talpa/contracts';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import { type SessionToken, verifySession } from '@talpa/service-kit/session-token';
import { LRUCache } from 'lru-cache';
import { createMemory } from '../memory/memory.ts';
import type { SessionCookie } from './cookie.ts';

/** Asks auth who a session belongs to; null when it has ended. `use` counts for the idle limit. */
export type AskSession = (sessionId: string, use: boolean) => Promise<Actor | null>;

/** Who a request comes from. */
export interface Sessions {
  readonly cookie: SessionCookie;
  /** What a JWT says, or null when it is not ours or has expired. Checks each JWT's signature once. */
  verify(jwt: string): SessionToken | null;
  /** What the request's cookie claims; whether that session still lives is `actorOf`'s question. */
  claimOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): SessionToken | null;
  /**
   * Who the claimed session belongs to now, or null when it has ended.
   * @param stamp the user's, read before this call; null when there is none: then auth is asked.
   * @throws AppError when auth cannot be asked.
   */
  actorOf(
    claim: SessionToken,
    stamp: string | null,
    use: boolean,
    ask: AskSession,
  ): Actor | null | Promise<Actor | null>;
  /** The same, when nobody has to be asked for it and its use is counted already; undefined otherwise. */
  knownActor(claim: SessionToken, stamp: string): Actor | null | undefined;
}

const rememberedTokens = 20_000;
const rememberedSessions = 20_000;
const longestToken = 1_024;

const isLive = ({ expiresAt }: SessionToken) => expiresAt.getTime() > Date.now();

interface Known {
  readonly actor: Actor | null;
}

/** Sessions as the gateway knows them: signatures by itself, everything else from auth. */
export function createSessions(keys: KeyRing, cookie: SessionCookie): Sessions {
  const tokens = new LRUCache<string, SessionToken>({ max: rememberedTokens });
  const sessions = createMemory<Known>('sessions', rememberedSessions, () => 1);

  const verify = (jwt: string): SessionToken | null => {
    const known = tokens.get(jwt);
    const token = known ?? (jwt.length <= longestToken ? verifySession(keys, jwt) : null);
    if (!token || !isLive(token)) return null;
    if (!known) tokens.set(jwt, token);
    return token;
  };
  /** A browser sends the same cookie again on a connection: comparing costs a tenth of looking it up. */
  const claims = new WeakMap<object, { readonly header: string; readonly token: SessionToken }>();
  const counted = (claim: SessionToken, stamp: string) => `${claim.sessionId} ${stamp}`;
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
    actorOf: (claim, stamp, use, ask) => {
      if (stamp === null) return ask(claim.sessionId, use);
      // What was asked for a ping has not been counted as use: another request must ask for itself.
      const used = counted(claim, stamp);
      const askKnown = async () => ({ actor: await ask(claim.sessionId, use) });
      const known = use
        ? sessions.recall(used, askKnown)
        : (sessions.known(used) ?? sessions.recall(`${used} unused`, askKnown));
      return known instanceof Promise ? known.then((answer) => answer.actor) : known.actor;
    },
    knownActor: (claim, stamp) => sessions.known(counted(claim, stamp))?.actor,
  };
}
