import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { probeReadSubject, probeSubject } from './subjects.ts';

const timeoutMs = 900;

/** Writes a message to JetStream and reads it back: it may be connected and keep nothing any more. @returns true, or why not */
export async function storesMessages(nc: NatsConnection, user: string): Promise<string | true> {
  const { seq } = await jetstream(nc, { timeout: timeoutMs }).publish(probeSubject(user), '');
  const { headers } = await nc.request(probeReadSubject(user), '', { timeout: timeoutMs });
  // Another process of the same name may have written since.
  return Number(headers?.get('Nats-Sequence')) >= seq || 'it does not keep what it has confirmed';
}
