import type { Socket } from 'node:net';
import { addressKey } from './address-key.ts';

export interface ConnectionLimit {
  /** Open connections of one address. */
  readonly limit: number;
  /** Whether an address brings the requests of many. */
  readonly isProxy: (address: string) => boolean;
}

/** Makes the function that counts a new connection of its address, unless that has too many already. */
export function createConnectionLimit({ limit, isProxy }: ConnectionLimit): (socket: Socket) => boolean {
  const counts = new Map<string, number>();
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return true;
    const key = addressKey(address);
    const count = counts.get(key) ?? 0;
    if (count >= limit) return false;
    counts.set(key, count + 1);
    socket.once('close', () => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    });
    return true;
  };
}
