import { type LoggedRequests, loggedRequests } from '@talpa/contracts';
import { readMessage } from '@talpa/service-kit/bus/read-message';
import {
  liveRequestsSubject,
  requestsChangedSubject,
  requestsConsumer,
  streams,
} from '@talpa/service-kit/bus/subjects';
import { startBatchConsumer } from '@talpa/service-kit/events/consume';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { storingHandled } from '../losses/store-handled.ts';
import type { Reader } from '../proxies/readers.ts';
import { keepRequests } from './keep.ts';
import type { LiveRequests } from './live.ts';

const saidEveryMs = 1_000;

/** Keeps visitors' requests as the edges hand them on, and notifies those who watch. */
export function receiveRequests(
  { nc, sql, transaction }: ServiceBase,
  live: LiveRequests,
  lifecycle: Lifecycle,
): void {
  const { log } = lifecycle;
  const say = createNotices(({ id, userId }) => nc.publish(requestsChangedSubject(userId, id)));
  startBatchConsumer(
    nc,
    storingHandled(sql, {
      stream: streams.requests,
      durable: requestsConsumer,
      handle: async (messages) => {
        const all = messages.flatMap(
          (message) => readMessage<LoggedRequests>(message, loggedRequests, log) ?? [],
        );
        const together = {
          entries: all.flatMap(({ entries }) => entries),
          missed: all.flatMap(({ missed }) => missed),
        };
        say(await transaction((tx) => keepRequests(tx, together)));
      },
    }),
    lifecycle,
  );
  const subscription = nc.subscribe(liveRequestsSubject, {
    callback: (failure, message) => {
      if (failure) return log.error({ err: failure }, 'subscription of live requests failed');
      const read = readMessage<LoggedRequests>(message, loggedRequests, log);
      if (!read) return;
      live.add(sql, read).then(say, (error: unknown) => {
        log.warn({ err: error }, 'live requests dropped: the database cannot be asked whose they are');
      });
    },
  });
  lifecycle.onStop('live requests', async () => subscription.unsubscribe());
}

/** Says at most once a second to each reader that a log has new entries; the last word is never left out. */
function createNotices(publish: (reader: Reader) => void): (readers: readonly Reader[]) => void {
  const waiting = new Map<string, { again: boolean }>();
  const keyOf = ({ id, userId }: Reader) => `${id} ${userId}`;
  const sayNow = (reader: Reader) => {
    publish(reader);
    const state = { again: false };
    waiting.set(keyOf(reader), state);
    setTimeout(() => {
      waiting.delete(keyOf(reader));
      if (state.again) sayNow(reader);
    }, saidEveryMs).unref();
  };
  return (readers) => {
    for (const reader of readers) {
      const state = waiting.get(keyOf(reader));
      if (state) state.again = true;
      else sayNow(reader);
    }
  };
}
