import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server, type Http2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { VisitorRequest } from '../visitor.ts';
import { readForm } from './read-form.ts';

const soonMs = 20;

/** Reads a form of which a part never comes. */
async function listening<S extends Server | Http2Server>(server: S) {
  const read = new Promise<URLSearchParams | null>((resolve) => {
    (server as Server).on('request', (request: VisitorRequest) => resolve(readForm(request, soonMs)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { read, port: (server.address() as AddressInfo).port };
}

it('a form that does not come whole is cut over HTTP/1.1, so that nothing is held for it', async () => {
  const { read, port } = await listening(createServer());
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 20\r\n\r\nsecret=1',
  );
  const closed = once(socket, 'close');
  expect(await read).toBeNull();
  await closed;
});

it('a form that does not come whole is cut over HTTP/2, and is not taken for a whole one', async () => {
  const { read, port } = await listening(createHttp2Server());
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  onTestFinished(() => session.destroy());
  const stream = session.request({
    ...{ ':method': 'POST', ':path': '/', 'content-type': 'application/x-www-form-urlencoded' },
  });
  stream.on('error', () => {}).write('secret=1');
  const closed = once(stream, 'close');
  expect(await read).toBeNull();
  await closed;
});
