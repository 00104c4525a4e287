import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a receiver of webhooks got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that gets webhooks on this machine and answers as a test says; 204 at first. */
export async function startReceiver(host = '127.0.0.1') {
  const received: Received[] = [];
  const state: { answer: (response: ServerResponse, request: Received) => void } = {
    answer: (response) => void response.writeHead(204).end(),
  };
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const one = { path: request.url ?? '', headers: request.headers, body };
    received.push(one);
    state.answer(response, one);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    received,
    port,
    url: `http://${host}:${port}/hook`,
    /** What it got at a path: each test has one of its own. */
    at: (path: string) => received.filter((one) => one.path === path),
    answer: (answer: typeof state.answer) => {
      state.answer = answer;
    },
    /** Closes all connections. */
    drop: () => server.closeAllConnections(),
    stop: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}
