import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Talpa } from '../../../launcher/system.ts';
import { Client, proxyInput } from '../client.ts';
import { startOurs } from '../connector/connectors.ts';
import { adminPassword } from '../system.ts';

const peopleCount = 8;
const proxiesEach = 2;
const password = 'last-und-probe-1';

/** Who k6 signs in as, and the proxy it visits. */
export interface LoadWorld {
  readonly users: readonly { readonly username: string; readonly password: string }[];
  readonly edgeUrl: string;
  readonly proxyHost: string;
  stop(): Promise<void>;
}

/** People with plans and proxies, an administrator, and one proxy with a connector and a panel behind it. */
export async function settleLoad(talpa: Talpa): Promise<LoadWorld> {
  const { edge } = talpa;
  if (!edge) throw new Error('there is no edge');
  const users: { username: string; password: string }[] = [];
  for (let number = 0; number < peopleCount; number += 1) {
    const client = new Client(talpa.url);
    const username = `load-${number}`;
    await client.call('POST /api/register', { username, password });
    await client.call('POST /api/user/subscription', { planId: 'enterprise' });
    for (let proxy = 0; proxy < proxiesEach; proxy += 1)
      await client.call('POST /api/tunnel-configs', proxyInput(`Server ${number} ${proxy}`));
    users.push({ username, password });
  }
  const admin = new Client(talpa.url);
  await admin.call('POST /api/login', { username: 'admin', password: adminPassword });
  const [visited] = await admin.call('GET /api/admin/tunnel-configs', { limit: 1 });
  if (!visited) throw new Error('there is no proxy');
  const panel = await startPanel();
  const { token } = await admin.call('GET /api/tunnel-configs/:id/tunnel-token', { id: visited.id });
  const ca = readFileSync(edge.authorityFile, 'utf8');
  const connector = await startOurs({ port: edge.connectorPort, ca, token, originPort: panel.port });
  return {
    users,
    edgeUrl: `http://127.0.0.1:${edge.visitorPort}`,
    proxyHost: visited.cfDomain,
    stop: async () => {
      await connector.stop();
      panel.stop();
    },
  };
}

/** The parameters of a run of `deploy/k6/main.ts`. */
export function loadSettings(run: {
  readonly scenario: string;
  readonly profile: string;
  /** The file that names the people. */
  readonly people: string;
  readonly talpa: Pick<Talpa, 'url'>;
  readonly world: Pick<LoadWorld, 'edgeUrl' | 'proxyHost'>;
}): Record<string, string> {
  return {
    SCENARIO: run.scenario,
    PROFILE: run.profile,
    BASE_URL: run.talpa.url,
    EDGE_URL: run.world.edgeUrl,
    PROXY_HOST: run.world.proxyHost,
    K6_PEOPLE: run.people,
  };
}

/** An admin panel of txAdmin's kind: a page with files, a console that is polled, commands. */
async function startPanel() {
  const bodies: Record<string, readonly [type: string, body: string]> = {
    '/': ['text/html', '<!doctype html><title>txAdmin</title>'.repeat(30)],
    '/assets/app.js': ['text/javascript', 'console.log("panel");'.repeat(12_000)],
    '/assets/app.css': ['text/css', 'a{color:red}'.repeat(3_000)],
    '/socket.io/': ['text/plain', '42["consoleData","[  server] player joined"]'.repeat(8)],
    '/fxserver/commands': ['application/json', '{"type":"success"}'],
  };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const [type, body] = bodies[request.url?.split('?')[0] ?? ''] ?? ['text/plain', 'not found'];
      response.writeHead(type === 'text/plain' && body === 'not found' ? 404 : 200, { 'content-type': type });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() };
}
