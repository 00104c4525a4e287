import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import type { Lifecycle } from '../process/lifecycle.ts';
import { waitForStore } from '../process/wait-for-store.ts';
import { storesMessages } from './probe.ts';
import { inboxPrefix } from './subjects.ts';

/** Opens a connection as a NATS user. Reconnects for ever; fails at once when the first attempt fails. */
export async function openBus(url: string, user: string): Promise<NatsConnection> {
  const parsed = new URL(url);
  const nc = await connect({
    servers: parsed.host,
    ...(parsed.username
      ? { user: decodeURIComponent(parsed.username), pass: decodeURIComponent(parsed.password) }
      : {}),
    name: user,
    inboxPrefix: inboxPrefix(user),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    reconnectJitter: 100,
    waitOnFirstConnect: false,
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
    // A server that is silent for eight seconds is gone, and so is one that does not greet at once: another may be there.
    pingInterval: 2_000,
    maxPingOut: 3,
    timeout: 2_000,
  });
  users.set(nc, user);
  return nc;
}

const users = new WeakMap<NatsConnection, string>();

/** As which NATS user a connection of `openBus` was opened. */
export function userOf(nc: NatsConnection): string {
  const user = users.get(nc);
  if (!user) throw new Error('the connection was not opened by openBus');
  return user;
}

const disconnected = new WeakSet<NatsConnection>();

/** Whether a connection of `connectBus` has a server now. */
export function isConnected(nc: NatsConnection): boolean {
  return !nc.isClosed() && !disconnected.has(nc);
}

/** Whether a failure to connect says only that no server responds now. */
const isAway = (error: unknown) =>
  error instanceof errors.ConnectionError || error instanceof errors.TimeoutError;

/** Opens the process's connection; closing it unasked ends the process, stopping drains it. */
export async function connectBus(url: string, user: string, lifecycle: Lifecycle): Promise<NatsConnection> {
  const nc = await waitForStore('NATS', () => openBus(url, user), isAway, lifecycle.log);
  let stopping = false;
  void nc.closed().then((error) => {
    if (!stopping)
      lifecycle.fail('NATS connection closed and not reopened, the process exits', error ?? undefined);
  });
  void (async () => {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect') {
        disconnected.add(nc);
        lifecycle.log.warn('NATS connection lost, reconnecting');
      }
      if (status.type === 'reconnect') {
        disconnected.delete(nc);
        lifecycle.log.info('NATS connection restored');
      }
      if (status.type === 'error') lifecycle.log.warn({ err: status.error }, 'NATS reported an error');
    }
  })();
  lifecycle.dependsOn('nats', () => isConnected(nc) || 'no connection');
  // What the gateway does needs none of what JetStream keeps.
  const needed = user !== 'gateway';
  lifecycle.dependsOn('jetstream', () => (isConnected(nc) ? storesMessages(nc, user) : 'no connection'), {
    needed,
  });
  lifecycle.onStop('bus', async () => {
    stopping = true;
    // Draining waits for a server; without one there is nothing to flush.
    await Promise.race([nc.drain(), new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
    await nc.close();
  });
  return nc;
}
