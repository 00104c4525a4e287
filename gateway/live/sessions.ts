import { systemCall } from '@talpa/service-kit/bus/request';
import type { Log } from '@talpa/service-kit/log';
import type { SessionToken } from '@talpa/service-kit/session/token';
import type { Authenticate } from '../api/authenticate.ts';
import { bytesOf, type Hub, refetch } from './hub.ts';
import { sightOf } from './stream.ts';

/** Looks whether the sessions of open streams still live, and ends the streams of those that do not. */
export interface SessionWatch {
  /** Something about this user was committed. */
  look(userId: number): void;
  close(): void;
}

const tickMs = 1_000;
const ended = bytesOf({ type: 'sessionEnded' });

/**
 * Each session is looked at when its user has changed, and every `everyMs` all the same: what the bus loses
 * ends a stream late, not never.
 */
export function watchSessions(hub: Hub, authenticate: Authenticate, everyMs: number, log: Log): SessionWatch {
  const running = new Set<string>();
  const again = new Set<string>();
  const dueAt = new Map<string, number>();
  const putOff = (sessionId: string) =>
    dueAt.set(sessionId, performance.now() + everyMs * (0.5 + Math.random() / 2));

  const lookOnce = async (claim: SessionToken) => {
    const info = systemCall('auth.getSession');
    const { actor } = await authenticate({ claim, use: false, info, isGlobal: false });
    for (const stream of [...hub.of(claim.userId)]) {
      if (stream.claim.sessionId !== claim.sessionId) continue;
      const before = stream.sight;
      stream.sight = actor ? sightOf(actor) : 'account';
      // Nothing was sent of what changed meanwhile.
      if (before === 'account' && stream.sight !== before) stream.write(refetch);
      if (actor) continue;
      stream.write(ended);
      stream.end();
    }
  };
  const look = async (claim: SessionToken) => {
    const { sessionId } = claim;
    // A response under way may have been overtaken by what made us look.
    again.add(sessionId);
    if (running.has(sessionId)) return;
    running.add(sessionId);
    try {
      while (again.delete(sessionId)) await lookOnce(claim);
    } catch (error) {
      log.debug({ err: error }, 'a stream’s session could not be looked at');
    } finally {
      again.delete(sessionId);
      running.delete(sessionId);
      putOff(sessionId);
    }
  };
  const lookAt = (streams: Iterable<{ readonly claim: SessionToken }>) => {
    const claims = new Map([...streams].map(({ claim }) => [claim.sessionId, claim]));
    for (const claim of claims.values()) void look(claim);
  };
  const tick = () => {
    const open = new Set([...hub.streams].map(({ claim }) => claim.sessionId));
    for (const sessionId of dueAt.keys()) if (!open.has(sessionId)) dueAt.delete(sessionId);
    for (const sessionId of open) if (!dueAt.has(sessionId)) putOff(sessionId);
    const now = performance.now();
    lookAt([...hub.streams].filter(({ claim }) => (dueAt.get(claim.sessionId) ?? now) < now));
  };
  const timer = setInterval(tick, Math.min(tickMs, everyMs)).unref();
  return { look: (userId) => lookAt(hub.of(userId)), close: () => clearInterval(timer) };
}
