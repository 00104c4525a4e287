import type { ServerResponse } from 'node:http';
import type { NatsConnection } from '@nats-io/transport-node';
import { AppError } from '@talpa/service-kit/app-error';
import type { CacheVersions } from '@talpa/service-kit/cache-versions';
import type { Log } from '@talpa/service-kit/log';
import type { SessionToken } from '@talpa/service-kit/session/token';
import { counter, gauge, readOnScrape } from '@talpa/service-kit/telemetry/metrics';
import type { Authenticate } from '../api/authenticate.ts';
import { refusals } from '../limits/shared.ts';
import { createHub, refetch } from './hub.ts';
import { startRelay } from './relay.ts';
import { watchSessions } from './sessions.ts';
import { openStream, type Sight } from './stream.ts';

/** The live streams of this gateway. */
export interface Live {
  /** @throws AppError too_many_requests, service_unavailable: how many may be open is bounded */
  refuseTooMany(userId: number): void;
  /** Answers a request with a stream, whose first message is `refetch`. */
  open(response: ServerResponse, who: { readonly claim: SessionToken; readonly sight: Sight }): void;
  /** Ends all streams and opens no more. */
  close(): void;
}

export interface LiveSettings {
  /** Open streams of one user, and of all, on this gateway. */
  readonly perUser: number;
  readonly inAll: number;
  /** How often a sign of life is sent, in ms. */
  readonly heartbeatMs: number;
  /** How often each session is looked at unasked, in ms. */
  readonly lookMs: number;
  /** How many bytes may wait for one reader. */
  readonly buffered: number;
}

/** What is no operator's matter. */
export const liveDefaults = { heartbeatMs: 20_000, lookMs: 30_000, buffered: 64 * 1_024 } as const;
const retryAfterSeconds = 30;
const heartbeat = Buffer.from(':\n\n');

const openStreams = gauge('talpa_live_streams', 'Live streams open now');
const opened = counter('talpa_live_streams_opened_total', 'Live streams opened');

export function createLive(parts: {
  readonly nc: NatsConnection;
  readonly cacheVersions: CacheVersions;
  readonly authenticate: Authenticate;
  readonly settings: LiveSettings;
  readonly log: Log;
}): Live {
  const { nc, cacheVersions, log, settings } = parts;
  const hub = createHub();
  const sessions = watchSessions(hub, parts.authenticate, settings.lookMs, log);
  const relay = startRelay({ nc, cacheVersions, hub, sessions, log });
  const beat = setInterval(() => {
    for (const stream of hub.streams) stream.write(heartbeat);
  }, settings.heartbeatMs).unref();
  let closing = false;
  readOnScrape('live', [openStreams], () => openStreams.set(hub.size));

  return {
    refuseTooMany: (userId) => {
      if (closing) throw new AppError('service_unavailable');
      if (hub.size >= settings.inAll) {
        refusals.labels('live-streams').inc();
        throw new AppError('service_unavailable');
      }
      if (hub.of(userId).size >= settings.perUser) {
        refusals.labels('live-user-streams').inc();
        throw new AppError('too_many_requests', { params: { seconds: retryAfterSeconds } });
      }
    },
    open: (response, who) => {
      const stream = openStream(response, who, settings.buffered, hub.remove);
      // Listening first: what happens from here on is sent, what was before is fetched.
      hub.add(stream);
      opened.inc();
      stream.write(refetch);
      // They may have been signed out since they were asked who they are.
      sessions.look(who.claim.userId);
    },
    close: () => {
      closing = true;
      clearInterval(beat);
      sessions.close();
      relay.close();
      for (const stream of [...hub.streams]) stream.end();
    },
  };
}
