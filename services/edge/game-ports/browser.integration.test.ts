import { randomUUID } from 'node:crypto';
import { useBrowser } from '@talpa/test-kit/browser';
import { proxyTo, startTestConnector } from '@talpa/test-kit/connector/connector';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { addGamePort, startGameServer } from '@talpa/test-kit/game-ports';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { beforeEach, expect, it } from 'vitest';

const provider = useProvider(useStores());
const test = useEdge(provider, { EDGE_TCP_PORTS: '1024-65535' });
const browser = useBrowser();
let tunnelId = '';

beforeEach(async () => {
  const name = `t${randomUUID()}`;
  const path = '/client/v4/accounts/account1/cfd_tunnel';
  const { body } = await provider.send('POST', path, { name, config_src: 'cloudflare' });
  const { id, token } = body.result as { id: string; token: string };
  tunnelId = id;
  const { port } = test.edge.connectors;
  const connector = await startTestConnector({ port, ca: test.ca, token, onStream: proxyTo(1) });
  return () => connector.kill();
});

/** A customer's listener behind a game port. @param greeting what it says first; left out: it echoes */
async function open(greeting?: string) {
  const server = await startGameServer((socket) => {
    if (greeting === undefined) socket.pipe(socket);
    else socket.write(greeting);
  });
  const added = await addGamePort(provider, { tunnelId, targetPort: server.port });
  const { gamePorts } = test.edge.visitors;
  await until('the public port', () => gamePorts?.publicPorts().includes(added.publicPort));
  return { ...added, server };
}

const page200 = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi';

it.each([
  ['that waits', undefined],
  ['that speaks first', page200],
])('a signed-in browser led to a game port gives nothing to a listener %s', async (_what, greeting) => {
  const { publicPort, server } = await open(greeting);
  const { page } = await browser.open('http://127.0.0.1');
  const context = page.context();
  // As the panel's by http, and a tunnel's: for every port of the host.
  const cookie = { name: 'talpa_session', value: 'the-session', url: 'http://127.0.0.1', httpOnly: true };
  await context.addCookies([cookie]);
  const address = `127.0.0.1:${publicPort}`;
  for (const scheme of ['http', 'https']) await page.goto(`${scheme}://${address}/x`).catch(() => {});
  const other = await context.newPage();
  const outcomes = await other.evaluate(async (host) => {
    const send = (path: string, init: RequestInit) =>
      fetch(`http://${host}/${path}`, { credentials: 'include', ...init });
    const talk = () =>
      new Promise((done, failed) => {
        const socket = new WebSocket(`ws://${host}/socket`);
        socket.onopen = done;
        socket.onerror = failed;
      });
    const tries = [
      send('post', { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ a: '1' }) }),
      ...[send('put', { method: 'PUT' }), send('own', { method: 'report' }), talk()],
    ];
    return (await Promise.allSettled(tries)).map(({ status }) => status);
  }, address);
  expect(server.sockets.length).toBeGreaterThan(0);
  expect(server.received()).toBe('');
  expect(outcomes).toEqual(outcomes.map(() => 'rejected'));
});
