import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { createHub } from './hub.ts';
import { type LiveStream, openStream } from './stream.ts';

const limit = 10_000;
let opened: (stream: LiveStream) => void = () => {};
let gone = 0;
const server = createServer((request, response) => {
  const claim = { jwt: '', sessionId: 's', userId: Number(request.url?.slice(1)), expiresAt: new Date() };
  opened(
    openStream(response, { claim, sight: claim.userId === 1 ? 'all' : 'own' }, limit, () => (gone += 1)),
  );
});
afterAll(() => server.close());

/** A reader who asks for a user's stream and then reads nothing. */
async function silentReader(userId: number) {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  const stream = new Promise<LiveStream>((resolve) => {
    opened = resolve;
  });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}).pause();
  socket.write(`GET /${userId} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return { stream: await stream, socket };
}

describe('a live stream', () => {
  it('is cut when its reader does not read, rather than kept for them without bound', async () => {
    const { stream } = await silentReader(7);
    const chunk = Buffer.alloc(5_000, 'x');
    let written = 0;
    while (gone === 0 && written < 1e9) {
      stream.write(chunk);
      written += chunk.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(gone).toBe(1);
    expect(written).toBeLessThan(1e8);
  });
});

describe('a message', () => {
  it('is made once for each audience, however many read it, and for nobody not at all', async () => {
    const hub = createHub();
    const readers = await Promise.all([silentReader(7)]);
    readers.push(await silentReader(7), await silentReader(1), await silentReader(8));
    for (const { stream } of readers) hub.add(stream);
    const made: string[] = [];
    const publish = (userId: number) =>
      hub.publish(userId, (scope) => {
        made.push(scope);
        return { type: 'subscription', scope, userId };
      });
    publish(7);
    expect(made).toEqual(['own', 'all']);
    publish(1);
    expect(made).toEqual(['own', 'all', 'own']);
    for (const { stream, socket } of readers) {
      if (stream.claim.userId === 1) hub.remove(stream);
      socket.destroy();
    }
    publish(9);
    expect(made).toHaveLength(3);
  });
});
