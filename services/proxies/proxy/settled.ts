import type { NatsConnection } from '@nats-io/transport-node';
import { type Settled, type StatusReason, settledMessage } from '@talpa/contracts';
import { untilSubscribed } from '@talpa/service-kit/bus/flush';
import { readMessage } from '@talpa/service-kit/bus/read-message';
import { settledSubject } from '@talpa/service-kit/bus/subjects';
import type { Database } from '@talpa/service-kit/database/connect';
import type { Log } from '@talpa/service-kit/log';
import type { ProxyRow } from './row.ts';

/** What the end of a server's tunnel is announced as: its uuid may be a proxy's, too. */
export const ofServer = (uuid: string) => `server.${uuid}`;

/** Listens for the end of a proxy's or a server's provisioning, wherever the report of it arrives. */
export interface SettledWatch {
  /** The end of that generation or of one that has overtaken it; null after `timeoutMs`. */
  generation(generation: number, timeoutMs: number): Promise<Settled | null>;
  /** Why that generation was refused, if it was. */
  refusalOf(generation: number): StatusReason | null;
  close(): void;
}

/** Subscribes; call it before the transaction commits. */
export async function watchSettled(
  { nc, log }: { readonly nc: NatsConnection; readonly log: Log },
  uuid: string,
): Promise<SettledWatch> {
  const received: Settled[] = [];
  let notify = () => {};
  const subscription = nc.subscribe(settledSubject(uuid), {
    callback: (error, message) => {
      if (error) return;
      const settled = readMessage(message, settledMessage, log);
      if (!settled) return;
      received.push(settled);
      notify();
    },
  });
  await untilSubscribed(nc);
  return {
    generation: (generation, timeoutMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(null), timeoutMs);
        notify = () => {
          const settled = received.find((one) => one.generation >= generation);
          if (!settled) return;
          clearTimeout(timer);
          resolve(settled);
        };
        notify();
      }),
    refusalOf: (generation) => received.find((one) => one.generation === generation)?.refused ?? null,
    close: () => subscription.unsubscribe(),
  };
}

/** Notifies the waiting callers. */
export function announceSettled(nc: NatsConnection, uuid: string, settled: Settled): void {
  nc.publish(settledSubject(uuid), JSON.stringify(settled));
}

/**
 * The caller waits no longer: a later refusal of this generation leaves the row as `error`. Gives the row as
 * it is now, if it still is; a newer generation has a caller of its own.
 */
export async function stopAwaiting(
  { sql, reads }: Database,
  uuid: string,
  generation: number,
): Promise<ProxyRow | undefined> {
  const read = () => reads<ProxyRow[]>`select * from proxies where uuid = ${uuid} and removed_at is null`;
  const [row] = await read();
  // What has been applied is awaited no more.
  if (!row?.awaitedUntil) return row;
  await sql`update proxies set awaited_until = null where uuid = ${uuid} and generation = ${generation}`;
  return (await read())[0];
}
