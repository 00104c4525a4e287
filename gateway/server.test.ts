import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { ask, countRequests, rawSocket, requestKinds } from '@talpa/test-kit/raw-http';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpServer } from './server.ts';

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const respond = (response: ServerResponse) => void response.end('served');
const servers: Readonly<Record<string, RequestListener>> = {
  'at once': (_request, response) => respond(response),
  later: (_request, response) => void setImmediate(() => respond(response)),
};

describe.each(Object.entries(servers))(
  'a connection of a thousand requests that are answered %s',
  (_when, serve) => {
    it.each(Object.entries(requestKinds))(
      'is cut when they %s, and no more than a dozen are read',
      async (_kind, request) => {
        const port = await portOf(createHttpServer(serve, () => serve));
        const read = countRequests();
        const { socket } = rawSocket(port, request('x').repeat(1_000));
        await new Promise((done) => socket.once('close', done));
        expect((await ask({ port, host: 'x' })).body).toBe('served');
        expect(read()).toBeLessThanOrEqual(13);
      },
    );
  },
);

it('puts “100 Continue” into no response that waits for an earlier one', async () => {
  const held: (() => void)[] = [];
  const port = await portOf(
    createHttpServer(
      (request, response) => {
        const respond = () => void response.end(Buffer.from(`<${request.url}>`));
        if (request.url === '/slow') return void held.push(respond);
        respond();
        for (const release of held) setImmediate(release);
      },
      (serve) => serve,
    ),
  );
  const expectant = 'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n';
  const { socket, received } = rawSocket(port, `GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${expectant}`);
  await until('both responses', () => received().endsWith('</>'));
  expect(received()).not.toContain('Continue');
  socket.destroy();
});

it('closes a connection whose response is not read, and none on which a response goes on', async () => {
  const server = createHttpServer(
    (request, response) => {
      if (request.url === '/large') return void response.end(Buffer.alloc(32_000_000));
      let turns = 0;
      const timer = setInterval(() => {
        response.write('beat');
        turns += 1;
        if (turns < 12) return;
        clearInterval(timer);
        response.end();
      }, 50);
    },
    (serve) => serve,
    300,
  );
  const port = await portOf(server);
  const unread = connect(port, '127.0.0.1');
  onTestFinished(() => void unread.destroy());
  const [accepted] = await Promise.all([once(server, 'connection'), once(unread, 'connect')]);
  unread.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  const slow = ask({ port, host: 'x', path: '/slow' });
  await once(accepted[0], 'close');
  expect((await slow).body).toBe('beat'.repeat(12));
});

it.each(['', 'GET / HTTP/1.1\r\nHost: x\r\n'])(
  'ends a connection that has sent “%s” and nothing more',
  async (sent) => {
    const server = createHttpServer(
      (_request, response) => void response.end(),
      (serve) => serve,
    );
    server.headersTimeout = 100;
    const { socket } = rawSocket(await portOf(server), sent);
    await once(socket, 'close');
  },
);

it('waits 15 seconds for the head of a request, 30 for all of it, and 90 on a connection on which no byte moves', () => {
  const server = createHttpServer(
    (_request, response) => void response.end(),
    (serve) => serve,
  );
  expect([server.headersTimeout, server.requestTimeout, server.timeout]).toEqual([15_000, 30_000, 90_000]);
});
