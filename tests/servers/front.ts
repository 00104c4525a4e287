import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refused } from '@talpa/test-kit/cloudflare';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ProviderSettings } from '../../services/tunnel-worker/provider/client.ts';

export interface Rule {
  readonly hostname?: string;
  readonly service: string;
}

/** What becomes of a call: `lose` closes the connection after the work, `drop` before it. */
export type Fate = 'pass' | 'drop' | 'lose' | '500';

/** A configuration or a cut of connections on its way to the provider. */
type Seen =
  | { readonly kind: 'configuration'; readonly tunnelId: string; readonly rules: readonly Rule[] }
  | { readonly kind: 'drop'; readonly tunnelId: string };

/** Stands before a provider: sees what the worker changes there, and lets calls fail. */
export function useFront(target: () => ProviderSettings) {
  /** What was configured last, by tunnel. */
  const configurations = new Map<string, readonly Rule[]>();
  const front = {
    url: '',
    configurations,
    fate: (): Fate => 'pass',
    /** Rules with such a service are refused. */
    poison: '',
    onSeen: (_seen: Seen): void => {},
    get settings(): ProviderSettings {
      return { ...target(), CLOUDFLARE_BASE_URL: front.url };
    },
  };
  const server = createServer(async (request, response) => {
    const fate = front.fate();
    if (fate === 'drop') return request.socket.destroy();
    const send = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    if (fate === '500') return send(500, JSON.stringify(refused(500, 10_013).body));
    const [method = '', path = '', body] = [request.method, request.url, await textOf(request)];
    const [, tunnelId = '', part] = /cfd_tunnel\/([^/]+)\/(configurations|connections)$/.exec(path) ?? [];
    const rules: readonly Rule[] =
      method === 'PUT' && part === 'configurations' ? JSON.parse(body).config.ingress : [];
    if (front.poison && rules.some(({ service }) => service.endsWith(front.poison)))
      return send(400, JSON.stringify(refused(400, 1_056).body));
    if (rules.length > 0) front.onSeen({ kind: 'configuration', tunnelId, rules });
    if (method === 'DELETE' && part === 'connections') front.onSeen({ kind: 'drop', tunnelId });
    const answer = await fetch(target().CLOUDFLARE_BASE_URL + path, {
      method,
      headers: {
        authorization: request.headers.authorization ?? '',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body }),
    });
    const answered = await answer.text();
    if (rules.length > 0 && answer.ok) configurations.set(tunnelId, rules);
    if (fate === 'lose') return request.socket.destroy();
    send(answer.status, answered);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    configurations.clear();
    Object.assign(front, { fate: () => 'pass', poison: '', onSeen: () => {} });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return front;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
