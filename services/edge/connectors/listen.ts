import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { Log } from '@talpa/service-kit/log';
import { listening } from '@talpa/service-kit/process/listening';
import { edgeMeter } from '../metrics.ts';
import type { Authority } from './authority.ts';

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
/** Sockets of all addresses together that have not registered yet. */
const maximumPending = 4_096;
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
  const { host, port } = settings;
  await listening('EDGE_CONNECTOR_PORT', settings, () => once(server.listen(port, host), 'listening'));
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

/** Counts sockets that have not proved who they are; refuses more than the limit of one address, and of all. */
class PendingSockets {
  private readonly limit: number;
  private readonly counts = new Map<string, number>();
  private readonly releases = new Map<string, () => void>();

  constructor(limit: number) {
    this.limit = limit;
  }

  enter(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const count = this.counts.get(address) ?? 0;
    if (count >= this.limit || this.releases.size >= maximumPending) {
      edgeMeter.connectorRefused('pending');
      return void socket.destroy();
    }
    this.counts.set(address, count + 1);
    const name = nameOf(socket);
    const release = () => {
      if (this.releases.get(name) !== release) return;
      this.releases.delete(name);
      const left = (this.counts.get(address) ?? 1) - 1;
      if (left > 0) this.counts.set(address, left);
      else this.counts.delete(address);
    };
    this.releases.set(name, release);
    socket.once('close', release);
  }

  releaseOf(socket: Socket): () => void {
    return this.releases.get(nameOf(socket)) ?? (() => {});
  }
}

/** The socket under TLS and the one above it have the same. */
const nameOf = (socket: Socket) => `${socket.remoteAddress} ${socket.remotePort}`;
