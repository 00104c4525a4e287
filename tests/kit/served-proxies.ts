import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { newUser, proxyInput } from './client.ts';
import { startOurs } from './connector/connectors.ts';
import type { TestSystem } from './system.ts';

/** What the page behind every served proxy says. */
export const servedText = 'Das Admin-Panel';

/** Proxies with a connector and a page behind it that is titled by its path. */
export function useServedProxies(system: TestSystem) {
  const origin = createServer((request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<title>${request.url}</title><h1>${servedText}</h1>`),
  );
  beforeAll(() => new Promise<void>((done) => origin.listen(0, '127.0.0.1', done)));
  afterAll(() => {
    origin.closeAllConnections();
    origin.close();
  });
  /** A proxy of a new user, and its address. */
  return async () => {
    const { client, user } = await newUser(system.url, 'premium');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    const { edge } = system.talpa;
    if (!edge) throw new Error('there is no edge');
    const { port: originPort } = origin.address() as AddressInfo;
    const ca = readFileSync(edge.authorityFile, 'utf8');
    const connector = await startOurs({ port: edge.connectorPort, ca, token, originPort });
    onTestFinished(() => connector.kill());
    return { client, user, proxy, url: `http://${proxy.cfDomain}:${edge.visitorPort}` };
  };
}
