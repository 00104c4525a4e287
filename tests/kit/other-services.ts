import { headers, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import type { InternalName } from '@talpa/contracts';
import { openBus } from '@talpa/service-kit/bus/connect';
import { busHeaders, type CallBody } from '@talpa/service-kit/bus/message';
import type { BusUser } from '@talpa/service-kit/bus/permissions';
import { rpcSubjects } from '@talpa/service-kit/bus/subjects';
import { afterAll, beforeAll } from 'vitest';
import type { TestStores } from './stores.ts';

/** The services that a service asks, played by the test. */
export function useOtherServices(stores: TestStores, names: readonly BusUser[]) {
  const connections = new Map<string, NatsConnection>();
  const playing = new Map<string, Subscription>();
  beforeAll(async () => {
    for (const name of names) connections.set(name, await openBus(stores.stores.natsUrl(name), name));
  });
  afterAll(async () => {
    for (const nc of connections.values()) await nc.close();
  });
  /**
   * Answers the next call of this kind, with this or what it gives then, or with an error.
   * @returns what it is asked, when it is
   */
  return async (
    call: InternalName,
    response: object | (() => Promise<object>),
    error?: string,
  ): Promise<readonly unknown[]> => {
    const nc = connections.get(call.split('.')[0] ?? '');
    if (!nc) throw new Error(`nobody plays ${call}`);
    playing.get(call)?.unsubscribe();
    const asked: unknown[] = [];
    const subscription = nc.subscribe(rpcSubjects(call), {
      max: 1,
      callback: (_failure, message) => {
        asked.push(message.json<CallBody>().input);
        const hdrs = headers();
        if (error) hdrs.set(busHeaders.error, error);
        const respond = (given: object) => message.respond(JSON.stringify(given), { headers: hdrs });
        if (typeof response === 'function') void response().then(respond);
        else respond(response);
      },
    });
    playing.set(call, subscription);
    await nc.flush();
    return asked;
  };
}
