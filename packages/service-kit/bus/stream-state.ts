import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { streamsOf } from './connect.ts';

/** What NATS says of a stream. */
export interface StreamState {
  /** When it was made: another time is another stream. */
  readonly created: string;
  /** How many messages it has, and the number of the first. */
  readonly messages: number;
  readonly first: number;
}

/** @throws Error when NATS is away, or does not know the stream */
export async function readStreamState(nc: NatsConnection, stream: string): Promise<StreamState> {
  const manager = await jetstreamManager(streamsOf(nc), { checkAPI: false, timeout: 2_000 });
  const { created, state } = await manager.streams.info(stream);
  return { created, messages: state.messages, first: Math.max(state.first_seq, 1) };
}
