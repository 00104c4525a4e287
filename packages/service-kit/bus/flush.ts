import type { NatsConnection } from '@nats-io/transport-node';

/** Longer than a server that is there ever takes. */
const patienceMs = 500;

/**
 * Ends once the server knows of our subscriptions: what is published from then on arrives. Without a server
 * it ends all the same, after a moment: each subscriber has a deadline of its own.
 */
export async function untilSubscribed(nc: NatsConnection): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, patienceMs).unref());
  await Promise.race([nc.flush(), patience]).catch(() => {});
}
