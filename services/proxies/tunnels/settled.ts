import type { NatsConnection } from '@nats-io/transport-node';
import type { StatusReason } from '@talpa/contracts';
import { settledSubject } from '@talpa/service-kit/bus/subjects';
import type { Sql } from '@talpa/service-kit/database/connect';
import type { ProxyRow } from '../proxies/row.ts';

/** A generation has been applied, or refused for a reason. */
export interface Settled {
  readonly generation: number;
  readonly refused: StatusReason | null;
}

/** Listens for the end of a proxy's provisioning, wherever the report of it arrives. */
export interface SettledWatch {
  /** That generation's end, or null after `timeoutMs`. */
  generation(generation: number, timeoutMs: number): Promise<Settled | null>;
  /** The last refusal heard of, whatever its generation. */
  lastRefusal(): StatusReason | null;
  close(): void;
}

/** Begins to listen; call it before the transaction commits. */
export async function watchSettled(nc: NatsConnection, uuid: string): Promise<SettledWatch> {
  const heard: Settled[] = [];
  let notify = () => {};
  const subscription = nc.subscribe(settledSubject(uuid), {
    callback: (error, message) => {
      if (error) return;
      heard.push(message.json<Settled>());
      notify();
    },
  });
  await Promise.race([nc.flush(), new Promise((resolve) => setTimeout(resolve, 500).unref())]).catch(
    () => {},
  );
  return {
    generation: (generation, timeoutMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(null), timeoutMs);
        notify = () => {
          const settled = heard.find((one) => one.generation === generation);
          if (!settled) return;
          clearTimeout(timer);
          resolve(settled);
        };
        notify();
      }),
    lastRefusal: () => heard.findLast((one) => one.refused !== null)?.refused ?? null,
    close: () => subscription.unsubscribe(),
  };
}

/** Tells whoever waits. */
export function announceSettled(nc: NatsConnection, uuid: string, settled: Settled): void {
  nc.publish(settledSubject(uuid), JSON.stringify(settled));
}

/** The caller waits no longer: a later refusal leaves the row as `error`. Gives the row, if it still is. */
export async function stopAwaiting(sql: Sql, uuid: string): Promise<ProxyRow | undefined> {
  const [row] = await sql<ProxyRow[]>`
    update proxies set awaited_until = null where uuid = ${uuid} and removed_at is null returning *`;
  return row;
}
