import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Lifecycle } from './lifecycle.ts';

/** Answers `/livez` (the process runs) and `/readyz` (it can work; else 503 with the reason). */
export async function serveHealth(
  port: number,
  lifecycle: Lifecycle,
  isStopping: () => boolean,
  ready: () => string | true = () => true,
): Promise<void> {
  const server = createServer((request, response) => {
    const state = request.url === '/livez' ? true : isStopping() ? 'stopping' : ready();
    response.writeHead(state === true ? 200 : 503, { 'content-type': 'text/plain' });
    response.end(state === true ? 'ok' : state);
  });
  server.listen(port, '0.0.0.0');
  await once(server, 'listening');
  lifecycle.onStop('health', () => server.close());
}
