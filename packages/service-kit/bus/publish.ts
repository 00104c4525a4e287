import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { streamsOf } from './connect.ts';

const timeoutMs = 2_000;

/** Hands a message to its stream. Resolves once it is stored there; throws when it may not be. */
export async function publishStored(nc: NatsConnection, subject: string, payload: object): Promise<void> {
  await jetstream(streamsOf(nc), { timeout: timeoutMs }).publish(subject, JSON.stringify(payload));
}
