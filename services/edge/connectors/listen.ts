import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { Log } from '@talpa/service-kit/log';
import { listenOn } from '@talpa/service-kit/process/listen-on';
import { listening } from '@talpa/service-kit/process/listening';
import { edgeMeter } from '../metrics.ts';
import type { Authority } from './authority.ts';
import { PendingSockets } from './pending.ts';

export interface ListenerSettings {
  readonly host: string;
  readonly port: number;
  /** Sockets from one address that have not registered yet. */
  readonly pendingLimit: number;
}

/** Where connectors arrive. */
export interface ConnectorListener {
  readonly port: number;
  /** Takes nothing new; what has come stays. */
  close(): void;
}

const handshakeTimeoutMs = 5_000;
const renewalCheckMs = 3_600_000;

/**
 * Listens for connectors with a certificate of the authority, renewed in time.
 * @param accept takes a socket after TLS; to call `registered` when it has proved who it is.
 * @throws Error when the port is taken.
 */
export async function listenForConnectors(
  settings: ListenerSettings,
  authority: Authority,
  log: Log,
  accept: (socket: TLSSocket, registered: () => void) => void,
): Promise<ConnectorListener> {
  let certificate = await authority.issue();
  const pending = new PendingSockets(settings.pendingLimit);
  const { cert, key } = certificate;
  const server = createServer({ cert, key, minVersion: 'TLSv1.2', handshakeTimeout: handshakeTimeoutMs });
  server.on('connection', (socket) => pending.enter(socket));
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    // A client that went away by itself, like the TCP check of a load balancer, was not refused.
    if (error.code !== 'ECONNRESET') edgeMeter.connectorRefused('tls');
    socket.destroy();
  });
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 30_000);
    const release = pending.releaseOf(socket);
    accept(socket, release);
  });
  const setting = 'EDGE_CONNECTOR_PORT';
  await listening(setting, settings, () => once(server.listen(listenOn(setting, settings)), 'listening'));
  const timer = setInterval(async () => {
    if (Date.now() < certificate.renewAt) return;
    try {
      certificate = await authority.issue();
      server.setSecureContext({ cert: certificate.cert, key: certificate.key });
    } catch (error) {
      log.error({ err: error }, 'edge certificate for connectors could not be renewed, retrying');
    }
  }, renewalCheckMs);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      clearInterval(timer);
      server.close();
    },
  };
}
