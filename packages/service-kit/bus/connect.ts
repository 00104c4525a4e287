import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import type { Lifecycle } from '../process/lifecycle.ts';
import { waitForStore } from '../process/wait-for-store.ts';
import { storesMessages } from './probe.ts';
import { inboxPrefix } from './subjects.ts';

/**
 * Opens the two connections of a NATS user: the bus, and the streams (`streamsOf`), which lie in an account of their own.
 * They reconnect for ever, and close together. Fails at once when a first attempt fails.
 */
export async function openBus(url: string, user: string): Promise<NatsConnection> {
  const nc = await openConnection(url, user);
  try {
    const streams = await openConnection(streamsUrl(url, user), user);
    streamsByBus.set(nc, streams);
    void nc.closed().then(() => streams.close());
  } catch (error) {
    await nc.close();
    throw error;
  }
  users.set(nc, user);
  return nc;
}

/** The user of the account through which a user of the bus reaches the streams; the password is the same. */
export const streamsUser = (user: string) => `${user}-streams`;

/** A server that is not ours, with users of its own, has one for both. */
function streamsUrl(url: string, user: string): string {
  const parsed = new URL(url);
  if (decodeURIComponent(parsed.username) === user) parsed.username = encodeURIComponent(streamsUser(user));
  return parsed.href;
}

const streamsByBus = new WeakMap<NatsConnection, NatsConnection>();

/** The connection to JetStream that belongs to a connection of `openBus`. */
export function streamsOf(nc: NatsConnection): NatsConnection {
  const streams = streamsByBus.get(nc);
  if (!streams) throw new Error('the connection was not opened by openBus');
  return streams;
}

/** Opens one connection as a NATS user. Reconnects for ever; fails at once when the first attempt fails. */
export async function openConnection(url: string, user: string): Promise<NatsConnection> {
  const parsed = new URL(url);
  return connect({
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

/** Opens the process's connections; closing one unasked ends the process, stopping drains them. */
export async function connectBus(url: string, user: string, lifecycle: Lifecycle): Promise<NatsConnection> {
  const nc = await waitForStore('NATS', () => openBus(url, user), isAway, lifecycle.log);
  const streams = streamsOf(nc);
  let stopping = false;
  const follow = async (one: NatsConnection, connection: 'bus' | 'streams') => {
    void one.closed().then((error) => {
      if (!stopping)
        lifecycle.fail('NATS connection closed and not reopened, the process exits', error ?? undefined);
    });
    for await (const status of one.status()) {
      if (status.type === 'disconnect') {
        disconnected.add(one);
        lifecycle.log.warn({ connection }, 'NATS connection lost, reconnecting');
      }
      if (status.type === 'reconnect') {
        disconnected.delete(one);
        lifecycle.log.info({ connection }, 'NATS connection restored');
      }
      if (status.type === 'error') lifecycle.log.warn({ err: status.error }, 'NATS reported an error');
    }
  };
  void follow(nc, 'bus');
  void follow(streams, 'streams');
  lifecycle.dependsOn('nats', () => isConnected(nc) || 'no connection');
  // What the gateway does needs none of what JetStream keeps.
  const needed = user !== 'gateway';
  lifecycle.dependsOn(
    'jetstream',
    () => (isConnected(streams) ? storesMessages(streams, user) : 'no connection'),
    { needed },
  );
  lifecycle.onStop('bus', async () => {
    stopping = true;
    // Both wait for a server, and fail when it goes meanwhile; without one there is nothing to flush. Nothing consumes any more:
    // draining would wait for pulls that have ended, for ever.
    const flushed = Promise.allSettled([nc.drain(), streams.flush()]);
    await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
    await Promise.all([nc.close(), streams.close()]);
  });
  return nc;
}
