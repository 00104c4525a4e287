import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands before the gateways, as an ingress controller does: it asks only those that say they are ready. */
export interface Balancer {
  readonly url: string;
  /** How many gateways are asked now. */
  readonly count: number;
  stop(): Promise<void>;
}

const lookEveryMs = 1_000;
/** Looks in a row without a good answer: then it is asked no more. */
const missedLooks = 2;
/** As `proxy-read-timeout` in deploy/kubernetes/components/panel-ingress: a gateway may die while it owes a response. */
const readTimeoutMs = 30_000;

interface Gateway {
  readonly port: number;
  missed: number;
}

/** @param ports where it reaches the gateways */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const gateways: Gateway[] = ports.map((port) => ({ port, missed: 0 }));
  const asked = () => gateways.filter(({ missed }) => missed < missedLooks);
  let turn = 0;
  const look = async (gateway: Gateway) => {
    const isReady = await fetch(`http://127.0.0.1:${gateway.port}/readyz`, {
      signal: AbortSignal.timeout(lookEveryMs),
      headers: { connection: 'close' },
    }).then(
      async (response) => {
        await response.text();
        return response.ok;
      },
      () => false,
    );
    gateway.missed = isReady ? 0 : gateway.missed + 1;
  };
  const timer = setInterval(() => void Promise.all(gateways.map(look)), lookEveryMs);
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const ready = asked();
    const gateway = ready[turn++ % ready.length];
    if (!gateway) return outgoing.destroy();
    const { method, url, headers } = incoming;
    const asking = request(
      {
        host: '127.0.0.1',
        port: gateway.port,
        method,
        path: url,
        headers,
        agent: false,
        timeout: readTimeoutMs,
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
        response.on('error', () => outgoing.destroy());
      },
    );
    // Sent once, it may have been done: no other server is asked.
    asking.on('error', () => outgoing.destroy());
    asking.on('timeout', () => asking.destroy());
    outgoing.on('close', () => asking.destroy());
    incoming.pipe(asking);
    return;
  };
  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    get count() {
      return asked().length;
    },
    stop: async () => {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
