import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { CommandName } from '@talpa/contracts';
import { parkedSubject } from '../bus/subjects.ts';

const timeoutMs = 2_000;

/**
 * Puts a command that is given up where an operator sees it.
 * @param note the command and why it is given up; no secrets.
 * @throws Error when it could not be stored: then the command must not be acknowledged.
 */
export async function park(nc: NatsConnection, name: CommandName, note: object): Promise<void> {
  await jetstream(nc, { timeout: timeoutMs }).publish(parkedSubject(name), JSON.stringify(note));
}
