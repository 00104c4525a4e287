import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { PendingSockets } from './pending.ts';

/** A connection from an address, as far as it is counted. */
function socketFrom(remoteAddress: string): Socket {
  const socket = new Socket();
  return Object.defineProperties(socket, {
    remoteAddress: { value: remoteAddress },
    remotePort: { value: Math.random() },
  });
}

it('one customer’s IPv6 network counts as one address: it cannot take the places of all connectors', () => {
  const pending = new PendingSockets(64);
  const sockets = Array.from({ length: 5_000 }, (_, index) => socketFrom(`2001:db8::${index.toString(16)}`));
  for (const socket of sockets) pending.enter(socket);
  expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(64);
  const other = socketFrom('2001:db8:0:1::1');
  pending.enter(other);
  expect(other.destroyed).toBe(false);
});
