import type { Socket } from 'node:net';
import { addressKey } from '@talpa/service-kit/address-key';
import { edgeMeter } from '../metrics.ts';

/** Sockets of all addresses together that have not registered yet. */
const maximumPending = 4_096;

/** Counts sockets that have not proved who they are; refuses more than the limit of one address, and of all. */
export class PendingSockets {
  private readonly limit: number;
  private readonly counts = new Map<string, number>();
  private readonly releases = new Map<string, () => void>();

  constructor(limit: number) {
    this.limit = limit;
  }

  enter(socket: Socket): void {
    const address = addressKey(socket.remoteAddress ?? '');
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
