import { readFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createConnectionLimit } from '@talpa/service-kit/connection-limit';
import type { Log } from '@talpa/service-kit/log';
import { onceAMinute } from '@talpa/service-kit/once-a-minute';
import type { Settings } from '@talpa/service-kit/settings';
import { proxyCheckOf, type TrustProxy } from '@talpa/service-kit/trust-proxy';
import { refusals } from './limits/shared.ts';

/** How many connections may be open: of one address, and of all. */
export interface ConnectionLimits {
  readonly ofAddress: number;
  readonly inAll: number;
}

/** Files that a gateway has open beside its connections from clients. */
const otherFiles = 512;
/** The rest is for calls: sign-in, health. */
const shareOfStreams = 0.9;
const names = { ofAddress: 'address-connections', inAll: 'connections', idle: 'idle-connections' } as const;

/** The limits from the settings, within the files that this process may open. */
export function connectionLimitsOf(
  settings: Settings<'ADDRESS_CONNECTION_LIMIT' | 'CONNECTION_LIMIT'>,
  files = maximumFiles(),
): ConnectionLimits {
  const { ADDRESS_CONNECTION_LIMIT: ofAddress, CONNECTION_LIMIT: most } = settings;
  return { ofAddress, inAll: Math.max(1, Math.min(most, files - otherFiles)) };
}

/** How many live streams may be open, so that calls find room beside them. */
export const streamsWithin = (streams: number, { inAll }: ConnectionLimits): number =>
  Math.min(streams, Math.floor(inAll * shareOfStreams));

function maximumFiles(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Bounds the open connections of a server. Who comes when all are taken gets the place of the one that has waited
 * longest for its client: idle, sending its request, or not reading its response.
 */
export function limitConnections(
  server: Server,
  { ofAddress, inAll }: ConnectionLimits,
  trustProxy: TrustProxy,
  log: Log,
): void {
  for (const name of Object.values(names)) refusals.labels(name).inc(0);
  const isWithinLimit = createConnectionLimit({ limit: ofAddress, isProxy: proxyCheckOf(trustProxy) });
  const sockets = new Set<Socket>();
  /** Those without a request of which everything has arrived: the longest first. */
  const waiting = new Set<Socket>();
  const warnOfAddress = onceAMinute((address: string | undefined) =>
    log.warn(
      { address, limit: ofAddress },
      'connections of one address refused: if it is a proxy, add it to TRUST_PROXY, else see ADDRESS_CONNECTION_LIMIT',
    ),
  );
  const warnOfAll = onceAMinute(() =>
    log.warn(
      { limit: inAll },
      'all connections are taken, idle ones are closed: add a gateway or raise CONNECTION_LIMIT and the limit of open files',
    ),
  );
  const close = (socket: Socket, name: (typeof names)[keyof typeof names]) => {
    refusals.labels(name).inc();
    socket.destroy();
  };
  const waitingLongest = () => {
    for (const socket of waiting) return socket;
    for (const socket of sockets) if (socket.writableLength > 0) return socket;
    return null;
  };

  server.on('connection', (socket) => {
    if (!isWithinLimit(socket)) {
      warnOfAddress(socket.remoteAddress);
      return close(socket, names.ofAddress);
    }
    if (sockets.size >= inAll) {
      warnOfAll();
      const other = waitingLongest();
      if (!other) return close(socket, names.inAll);
      forget(other);
      close(other, names.idle);
    }
    sockets.add(socket);
    waiting.add(socket);
    socket.once('close', () => forget(socket));
  });
  const forget = (socket: Socket) => {
    sockets.delete(socket);
    waiting.delete(socket);
  };
  const arrives: RequestListener = ({ socket, headers }, response) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody) response.req.once('end', () => waiting.delete(socket));
    else waiting.delete(socket);
    response.once('close', () => {
      waiting.delete(socket);
      if (sockets.has(socket)) waiting.add(socket);
    });
  };
  // A request with Expect is not announced as a request.
  for (const event of ['request', 'checkContinue']) server.prependListener(event, arrives);
}
