import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectLink, proxyTo } from '@talpa/test-kit/connector/connector';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { ask } from '@talpa/test-kit/raw-http';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

const stores = useStores();
const provider = useProvider(stores);
const test = useEdge(provider);
const tunnels = '/client/v4/accounts/account1/cfd_tunnel';
const host = 'one.tunnel.localhost';
const peers = {
  EDGE_PEER_SECRET: 'a-secret-that-all-edges-of-this-test-share',
  EDGE_PEER_HOST: '127.0.0.1',
  EDGE_PEER_PORT: '0',
};
let waiting: ServerResponse[] = [];
const origin = createServer((request, response) => {
  if (request.url === '/wait') waiting.push(response);
  else response.end('quick');
});
let id = '';
let token = '';

const statusIs = (wanted: string) =>
  until(`the tunnel to be ${wanted}`, async () => {
    const { body } = await provider.send('GET', `${tunnels}/${id}`);
    return (body.result as { status: string }).status === wanted;
  });
const visit = (port: number, path = '/') => ask({ port, host, path });

beforeAll(async () => {
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
});
beforeEach(async () => {
  waiting = [];
  const { body } = await provider.send('POST', tunnels, { name: 'one', config_src: 'cloudflare' });
  ({ id, token } = body.result as { id: string; token: string });
  const ingress = [{ hostname: host, service: 'http://127.0.0.1:40120' }, { service: 'http_status:404' }];
  await provider.send('PUT', `${tunnels}/${id}/configurations`, { config: { ingress } });
  await provider.lead(host, id);
});
afterAll(() => {
  origin.closeAllConnections();
  origin.close();
});

/** An edge that has begun to stop: one connection carries a request that waits, a second one is at rest. */
async function stopAtWork(changes: Record<string, string>) {
  const edge = await test.another({ ...changes, EDGE_DRAIN_MS: '60000' });
  const onStream = proxyTo((origin.address() as AddressInfo).port);
  const options = { port: edge.connectors.port, ca: test.ca, token, onStream, connectorId: randomUUID() };
  const { httpPort } = edge.visitors;
  const { link: busy } = await connectLink(options, 0);
  const response = visit(httpPort, '/wait');
  await until('the request at the panel', () => waiting.length === 1);
  const { link: atRest } = await connectLink(options, 1);
  const stopped = edge.stop();
  await expect(visit(httpPort)).rejects.toThrow('ECONNREFUSED');
  /** Lets the request end, and the edge with it. */
  const finish = async () => {
    waiting[0]?.end('the whole');
    expect((await response).body).toBe('the whole');
    await Promise.all([stopped, busy.closed, atRest.closed]);
  };
  return { options, busy, atRest, finish };
}

it('an edge that stops sends connectors to the other edges at once, and lets what runs finish', async () => {
  const other = await test.another(peers);
  const { options, busy, atRest, finish } = await stopAtWork(peers);
  await atRest.closed;
  await statusIs('down');
  const { link: again } = await connectLink({ ...options, port: other.connectors.port }, 1);
  expect((await visit(other.visitors.httpPort)).body).toBe('quick');
  expect(busy.socket.destroyed).toBe(false);
  await finish();
  // What the stopped edge has removed was its own.
  expect((await visit(other.visitors.httpPort)).body).toBe('quick');
  await statusIs('degraded');
  again.socket.destroy();
  await other.stop();
});

it('an edge alone keeps its connectors until what runs has ended: they could go nowhere', async () => {
  const { atRest, finish } = await stopAtWork({});
  // A response comes after all that was sent before it.
  await new Promise((done) => atRest.session.ping(done));
  expect(atRest.session.closed || atRest.socket.destroyed).toBe(false);
  await finish();
});
