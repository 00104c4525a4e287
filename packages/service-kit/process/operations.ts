import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contentType, scrape } from '../telemetry/metrics.ts';
import { listening } from './listening.ts';
import type { ReadinessWatch } from './readiness.ts';

type Handler = (response: ServerResponse) => Promise<void> | void;

/**
 * The listeners for operators, apart from the process's own: `/livez` (its event loop turns) and
 * `/readyz` (it can work, else 503 and why) on both, `/metrics` on the second.
 */
export interface OperationsSettings {
  readonly HEALTH_PORT?: number | undefined;
  readonly METRICS_PORT: number;
  readonly METRICS_HOST: string;
}

/** Opens the ports that are set. @returns the ports, by setting. @throws Error naming the setting of one that is taken */
export async function serveOperations(
  settings: OperationsSettings,
  readiness: Pick<ReadinessWatch, 'look'>,
): Promise<{ readonly ports: Readonly<Record<string, number>>; close(): void }> {
  const health: Record<string, Handler> = {
    '/livez': (response) => send(response, 200, 'text/plain', 'ok'),
    '/readyz': async (response) => {
      const found = await readiness.look();
      send(response, found.ready ? 200 : 503, 'application/json', `${JSON.stringify(found, null, 2)}\n`);
    },
  };
  const all: Record<string, Handler> = {
    ...health,
    '/metrics': async (response) => send(response, 200, contentType, await scrape()),
  };
  const listeners: { setting: string; server: ReturnType<typeof createServer>; port: number }[] = [];
  const open = async (setting: string, host: string, port: number, handlers: Record<string, Handler>) => {
    const server = createServer((request, response) => {
      const handle = handlers[request.url?.split('?', 1)[0] ?? ''];
      if (!handle) send(response, 404, 'text/plain', 'not found');
      else
        Promise.resolve(handle(response)).catch(() =>
          send(response, 500, 'text/plain', 'the response could not be made'),
        );
    });
    await listening(setting, { host, port }, () => once(server.listen(port, host), 'listening'));
    listeners.push({ setting, server, port: (server.address() as AddressInfo).port });
  };
  const { HEALTH_PORT, METRICS_PORT, METRICS_HOST } = settings;
  if (HEALTH_PORT !== undefined) await open('HEALTH_PORT', '0.0.0.0', HEALTH_PORT, health);
  if (METRICS_PORT !== 0) await open('METRICS_PORT', METRICS_HOST, METRICS_PORT, all);
  return {
    ports: Object.fromEntries(listeners.map(({ setting, port }) => [setting, port])),
    close: () => {
      for (const { server } of listeners) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
