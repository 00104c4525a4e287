import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { streamsOf } from '../bus/connect.ts';
import { perMember } from '../shared-process.ts';
import { gauge, readOnScrape } from '../telemetry/metrics.ts';

const labels = ['consumer'] as const;
const pending = gauge('talpa_consumer_pending', 'Messages not yet handed to a consumer: its lag', labels);
const running = gauge(
  'talpa_consumer_unacknowledged',
  'Messages handed to a consumer and not yet done',
  labels,
);
const again = gauge('talpa_consumer_redelivered', 'Messages among them that were handed out before', labels);

/** The stream of each consumer of this process. */
const consumers = perMember(() => new Map<string, string>());

/** Asks the server, when it is scraped, how far a consumer is behind. */
export function measureLag(nc: NatsConnection, stream: string, durable: string): void {
  consumers().set(durable, stream);
  readOnScrape('consumers', [pending, running, again], async () => {
    const manager = await jetstreamManager(streamsOf(nc), { checkAPI: false, timeout: 1_500 });
    await Promise.all(
      [...consumers()].map(async ([consumer, of]) => {
        const info = await manager.consumers.info(of, consumer);
        pending.set({ consumer }, info.num_pending);
        running.set({ consumer }, info.num_ack_pending);
        again.set({ consumer }, info.num_redelivered);
      }),
    );
  });
}
