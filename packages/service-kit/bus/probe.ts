import { jetstream } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { probeReadSubject, probeSubject } from './subjects.ts';

const timeoutMs = 900;

/** Writes a message to JetStream (`streamsOf`) and reads it back: it may be connected and keep nothing any more. @returns true, or why not */
export async function storesMessages(nc: NatsConnection, user: string): Promise<string | true> {
  const { seq } = await jetstream(nc, { timeout: timeoutMs }).publish(probeSubject(user), '');
  const wanted = JSON.stringify({ last_by_subj: probeSubject(user) });
  const response = await nc.request(probeReadSubject, wanted, { timeout: timeoutMs });
  const { message } = response.json<{ message?: { seq: number } }>();
  // Another process of the same name may have written since.
  return (message?.seq ?? 0) >= seq || 'it does not keep what it has confirmed';
}

/** Resolves when JetStream takes a message, for the operator (`streamsOf`); where its streams are not made yet, when it answers. */
export async function takesMessages(nc: NatsConnection): Promise<void> {
  const ask = (subject: string) => nc.request(subject, '', { timeout: timeoutMs });
  await ask('$JS.API.INFO');
  const kept = await ask(probeSubject('operator')).catch((error) => {
    if (error instanceof errors.RequestError && error.isNoResponders()) return null;
    throw error;
  });
  if (kept?.json<{ error?: object }>().error) throw new Error('JetStream takes no message');
}
