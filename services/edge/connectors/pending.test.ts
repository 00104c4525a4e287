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

it('all addresses together have a number of places, and those that are given back are free', () => {
  const pending = new PendingSockets(64);
  const enter = (address: string) => {
    const socket = socketFrom(address);
    pending.enter(socket);
    return socket;
  };
  const sockets = Array.from({ length: 5_000 }, (_, index) =>
    enter(`2001:db8:${(index >> 8).toString(16)}:${(index & 255).toString(16)}::1`),
  );
  const kept = sockets.filter(({ destroyed }) => !destroyed);
  expect(kept).toHaveLength(4_096);
  kept[0]?.emit('close');
  expect([enter('192.0.2.1').destroyed, enter('192.0.2.2').destroyed]).toEqual([false, true]);
});
