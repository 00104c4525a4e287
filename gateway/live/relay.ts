import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { type EventName, type EventOf, events } from '@talpa/contracts';
import { untilSubscribed } from '@talpa/service-kit/bus/flush';
import { readMessage } from '@talpa/service-kit/bus/read-message';
import {
  appliedSubject,
  eventSubject,
  healthSubject,
  preferencesSubject,
  requestsChangedSubject,
  serverSubject,
  sharingSubject,
  userChangedSubject,
  visitsSubject,
} from '@talpa/service-kit/bus/subjects';
import { type CacheOwner, type CacheVersions, sessionsOf } from '@talpa/service-kit/cache-versions';
import type { Log } from '@talpa/service-kit/log';
import type { Hub } from './hub.ts';
import type { SessionWatch } from './sessions.ts';
import { createSubscriptionWait } from './subscriptions.ts';

export interface RelayParts {
  readonly nc: NatsConnection;
  readonly cacheVersions: CacheVersions;
  readonly hub: Hub;
  readonly sessions: SessionWatch;
  readonly log: Log;
}

/** Totals change all the time; they are sent at most this often. */
const totalsEveryMs = 5_000;

/** Sends what passes on the bus to open streams: one subscription a subject for all of them, and never a queue. */
export function startRelay({ nc, cacheVersions, hub, sessions, log }: RelayParts): { close(): void } {
  const listen = (subject: string, handle: (subject: string, message: Msg) => unknown) =>
    nc.subscribe(subject, {
      callback: (error, message) => {
        if (error) return log.error({ err: error, subject }, 'live event subscription failed');
        if (hub.size === 0) return;
        void (async () => handle(message.subject, message))().catch((failure) =>
          log.error({ err: failure, subject: message.subject }, 'live event could not be sent to open pages'),
        );
      },
    });
  const onEvent = <N extends EventName>(name: N, handle: (snapshot: EventOf<N>) => Promise<void>) =>
    listen(eventSubject(name, '*'), (_subject, message) => {
      const snapshot = readMessage<unknown>(message, events[name].schema, log) as EventOf<N> | null;
      return snapshot && handle(snapshot);
    });
  /** The event may arrive before its writer has invalidated the cache, so this invalidates it too. */
  const forget = async (userId: number, ...others: CacheOwner[]) => {
    if (hub.of(userId).size > 0) await cacheVersions.invalidate([userId, ...others]);
  };

  const sendSharing = (userId: number) => hub.sendToUser(userId, { type: 'sharing', scope: 'own', userId });

  let totalsTimer: NodeJS.Timeout | undefined;
  const subscriptions = createSubscriptionWait((userId) =>
    hub.publish(userId, (scope) => ({ type: 'subscription', scope, userId })),
  );
  const listening = [
    onEvent('proxy', async (snapshot) => {
      const { proxyId: id, userId, status, statusReason } = snapshot;
      await forget(userId);
      const change = changeOf(snapshot);
      hub.publish(
        userId,
        (scope) => ({ type: 'proxy', scope, change, id, userId, status, statusReason }),
        snapshot.memberIds,
      );
      for (const invited of snapshot.invitedIds ?? []) sendSharing(invited);
    }),
    onEvent('user', async (snapshot) => {
      const { id, username, isAdmin } = snapshot;
      await forget(id, sessionsOf(id));
      const change = changeOf(snapshot);
      hub.publish(id, (scope) => ({ type: 'user', scope, change, id, username, isAdmin }));
      if (snapshot.deleted) sessions.look(id);
    }),
    ...(['auth', 'proxies'] as const).map((service) =>
      listen(appliedSubject(service, 'subscription', '*'), (_subject, message) => {
        const snapshot = readMessage(message, events.subscription.schema, log);
        if (snapshot) subscriptions.applied(service, snapshot.id, snapshot.version);
      }),
    ),
    ...(['proxy', 'user'] as const).map((name) =>
      listen(appliedSubject('stats', name, '*'), () => {
        totalsTimer ??= setTimeout(() => {
          totalsTimer = undefined;
          hub.broadcast({ type: 'totals' });
        }, totalsEveryMs);
      }),
    ),
    ...(['proxies', 'stats'] as const).map((service) =>
      listen(healthSubject(service, '*', '*'), (subject) => {
        const [userId, id] = subject.split('.').slice(-2).map(Number);
        if (userId && id) hub.publish(userId, (scope) => ({ type: 'health', scope, id, userId }));
      }),
    ),
    listen(requestsChangedSubject('*', '*'), (subject) => {
      const [userId, id] = subject.split('.').slice(-2).map(Number);
      if (userId && id) hub.publish(userId, (scope) => ({ type: 'requests', scope, id, userId }));
    }),
    listen(serverSubject('*', '*'), (subject) => {
      const [userId, id] = subject.split('.').slice(-2).map(Number);
      if (userId && id) hub.publish(userId, (scope) => ({ type: 'server', scope, id, userId }));
    }),
    listen(visitsSubject('*', '*'), (subject) => {
      const [userId, id] = subject.split('.').slice(-2).map(Number);
      if (userId && id) hub.publish(userId, (scope) => ({ type: 'visits', scope, id, userId }));
    }),
    listen(userChangedSubject('auth', '*'), (subject) => sessions.look(Number(subject.split('.').at(-1)))),
    listen(sharingSubject('*'), (subject) => {
      sendSharing(Number(subject.split('.').at(-1)));
    }),
    listen(preferencesSubject('*'), (subject) => {
      const userId = Number(subject.split('.').at(-1));
      hub.sendToUser(userId, { type: 'preferences', scope: 'own', userId });
    }),
    // The audit trail is all that stats keeps about a single user.
    listen(userChangedSubject('stats', '*'), (subject) => {
      const userId = Number(subject.split('.').at(-1));
      hub.publish(userId, (scope) => ({ type: 'audit', scope, userId }));
    }),
    listen(userChangedSubject('notifications', '*'), (subject) => {
      const userId = Number(subject.split('.').at(-1));
      hub.publish(userId, (scope) => ({ type: 'mail', scope, userId }));
      hub.sendToUser(userId, { type: 'notification', scope: 'own', userId });
    }),
  ];

  // What passed while we were away has passed for good: readers fetch again.
  void (async () => {
    for await (const status of nc.status()) {
      if (status.type !== 'reconnect') continue;
      await untilSubscribed(nc);
      hub.broadcast({ type: 'refetch' });
    }
  })();
  return {
    close: () => {
      for (const subscription of listening) subscription.unsubscribe();
      subscriptions.close();
      clearTimeout(totalsTimer);
    },
  };
}

function changeOf({ version, deleted }: { readonly version: number; readonly deleted: boolean }) {
  if (deleted) return 'deleted';
  return version === 1 ? 'created' : 'changed';
}
