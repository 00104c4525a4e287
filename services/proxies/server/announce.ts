import type { NatsConnection } from '@nats-io/transport-node';
import { serverSubject } from '@talpa/service-kit/bus/subjects';
import type { LockedServer } from './row.ts';

/** Has the pages of those who may see a server fetch it again, once its change is committed. */
export function announceServer(nc: NatsConnection, { server, proxies }: LockedServer): void {
  const readers = new Set([server.userId, ...proxies.flatMap(({ memberIds }) => memberIds)]);
  for (const reader of readers) nc.publish(serverSubject(reader, server.id));
}
