import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { frame } from '@talpa/test-kit/frames';
import { expect, it } from 'vitest';
import { openSession } from './connection.ts';
import { HeaderLimitedSocket } from './header-limited-socket.ts';

/** A connector's socket that takes what is written. */
class TestSocket extends Duplex {
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
  /** Never: the other side reads nothing any more. */
  override _final(): void {}
}

const settings = frame(4, 0, 0, Buffer.alloc(0));
const headWithoutEnd = Buffer.concat([
  frame(1, 0, 1, Buffer.from([0x88])),
  ...Array<Buffer>(10_000).fill(frame(9, 0, 1, Buffer.alloc(0))),
]);

it('a connector that ends its side and reads nothing more can be cut off, and ends no process', async () => {
  const socket = new TestSocket();
  const session = openSession(socket);
  session.on('error', () => {});
  socket.push(settings);
  await once(session, 'remoteSettings');
  const closed = once(session, 'close');
  const ended = once(socket, 'end');
  socket.push(null);
  await ended;
  // The session gets the error in a later turn.
  await new Promise((done) => setImmediate(done));
  session.destroy(new Error('the connection was cut'));
  await closed;
  expect(socket.destroyed).toBe(true);
});

it('all that a connector has sent before its end is read, however slowly', async () => {
  const socket = new TestSocket();
  const limited = new HeaderLimitedSocket(socket);
  const sent = Buffer.concat(Array.from({ length: 50 }, () => frame(0, 0, 1, Buffer.alloc(16_000, 7))));
  socket.push(sent);
  socket.push(null);
  const pieces: Buffer[] = [];
  while (!limited.destroyed) {
    const piece = limited.read() as Buffer | null;
    if (piece) pieces.push(piece);
    await new Promise((done) => setImmediate(done));
  }
  expect(Buffer.concat(pieces).equals(sent)).toBe(true);
});

it.each<[string, (socket: TestSocket) => void]>([
  ['a head without end', (socket) => void socket.push(headWithoutEnd)],
  ['an error of its socket', (socket) => void socket.destroy(new Error('reset'))],
])('%s ends the connection alone: nothing is thrown', async (_what, fail) => {
  const socket = new TestSocket();
  const limited = new HeaderLimitedSocket(socket);
  limited.resume().on('error', () => {});
  const closed = new Promise((done) => limited.once('close', done));
  fail(socket);
  await closed;
  expect(limited.errored?.message).toMatch(/without end|reset/);
  expect(socket.destroyed).toBe(true);
});
