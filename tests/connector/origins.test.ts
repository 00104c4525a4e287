import { randomUUID } from 'node:crypto';
import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { OriginOptions } from '@talpa/contracts';
import { testCertificate } from '@talpa/test-kit/certificate';
import { startReal } from '@talpa/test-kit/connector/connectors';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { ask } from '@talpa/test-kit/raw-http';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProvider } from '../../services/tunnel-worker/provider/client.ts';

/** What the real connector makes of the worker's configuration: ours asks its origin, whatever that says. */
const file = process.env.CLOUDFLARED;
const stores = useStores();
const embedded = useProvider(stores);
const test = useEdge(embedded);

const servernameOf = ({ socket }: IncomingMessage) => (socket as TLSSocket).servername;
const answer: RequestListener = (request, response) =>
  response.end([request.httpVersion, request.headers.host, servernameOf(request)].join(' '));

/** Starts a server; gives its port. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A tunnel behind the real connector, configured by the worker's own client. */
async function connect(origin: string, originOptions?: OriginOptions) {
  const provider = createProvider(embedded.settings);
  const hostname = `t${randomUUID().slice(0, 8)}.tunnel.localhost`;
  const id = await provider.createTunnel(hostname);
  await provider.putConfiguration(id, [{ hostname, origin, originOptions }]);
  const proxyId = randomUUID();
  await embedded.lead(hostname, id, proxyId);
  const token = await provider.getToken(id);
  const start = { port: test.edge.connectors.port, ca: test.ca, token, originPort: 0 };
  const connector = await startReal(file ?? '', start);
  onTestFinished(() => connector.kill());
  await until('four connections', () => test.edge.connectors.registry.of(id).length === 4);
  await until('its configuration', () => connector.output().includes('Updated to new configuration'));
  const problem = async () => {
    const [row] = await embedded.edgeSql<{ problem: string | null }[]>`
      select problem from edge.origins where tunnel_id = ${proxyId}`;
    return row?.problem ?? null;
  };
  return {
    hostname,
    problem,
    output: connector.output,
    visit: () => ask({ port: test.edge.visitors.httpPort, host: hostname, path: '/' }),
    /** What a visit leads to: its status, and what the edge finds out about the panel. */
    refused: async () => {
      const { status } = await ask({ port: test.edge.visitors.httpPort, host: hostname, path: '/' });
      await until('the problem', async () => (await problem()) !== null);
      return [status, await problem()];
    },
  };
}

describe.runIf(file)('a panel with https', () => {
  it('is reached though it has signed its certificate itself, if nobody verifies that', async () => {
    const port = await listen(createHttps(testCertificate, answer));
    const { visit, hostname } = await connect(`https://127.0.0.1:${port}`, { verifyCertificate: false });
    expect(await visit()).toMatchObject({ status: 200, body: `1.1 ${hostname} false` });
  });

  it('is refused if somebody does, and that is said', async () => {
    const port = await listen(createHttps(testCertificate, answer));
    const { refused } = await connect(`https://127.0.0.1:${port}`);
    expect(await refused()).toEqual([502, 'certificate']);
  });

  it('gets the name and the Host header that it wants, and HTTP/2', async () => {
    const port = await listen(
      createSecureServer({ ...testCertificate, allowHTTP1: true }, (request, response) =>
        response.end(
          [request.httpVersion, request.authority, (request.socket as TLSSocket).servername].join(' '),
        ),
      ),
    );
    const { visit } = await connect(`https://127.0.0.1:${port}`, {
      ...({ verifyCertificate: false, http2Origin: true } as const),
      ...{ originServerName: 'panel.example.com', httpHostHeader: 'panel.example.com:8443' },
    });
    expect(await visit()).toMatchObject({
      status: 200,
      body: '2.0 panel.example.com:8443 panel.example.com',
    });
  });
});

describe.runIf(file)('a panel that is asked in the wrong protocol', () => {
  it('says so itself if it speaks https, as nginx and Go do', async () => {
    // Node has no such page: it is what they answer.
    const port = await listen(
      createHttp((_request, response) =>
        response.writeHead(400).end('Client sent an HTTP request to an HTTPS server.\n'),
      ),
    );
    const { refused } = await connect(`http://127.0.0.1:${port}`);
    expect(await refused()).toEqual([400, 'speaks_https']);
  });

  it('answers with an alert of TLS, as OpenSSL did', async () => {
    const alert = Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46]);
    const port = await listen(createTcp((socket) => socket.once('data', () => socket.end(alert))));
    const { refused } = await connect(`http://127.0.0.1:${port}`);
    expect(await refused()).toEqual([502, 'speaks_https']);
  });

  it('closes the connection, as Node does: it may speak https', async () => {
    const port = await listen(createHttps(testCertificate, answer));
    const { refused } = await connect(`http://127.0.0.1:${port}`);
    expect(await refused()).toEqual([502, 'closes']);
  });

  it('is no TLS server', async () => {
    const port = await listen(createHttp(answer));
    const { refused } = await connect(`https://127.0.0.1:${port}`, { verifyCertificate: false });
    expect(await refused()).toEqual([502, 'speaks_http']);
  });
});

it.runIf(file)('of a panel that is not there at all nothing else is said', async () => {
  const server = createTcp();
  const port = await listen(server);
  server.close();
  const { visit, problem, output } = await connect(`http://127.0.0.1:${port}`);
  expect((await visit()).status).toBe(502);
  // The edge has asked itself, too, and read why that failed.
  await until('both errors', () => output().match(/ERR .*originService/g)?.length === 2);
  expect((await visit()).status).toBe(502);
  expect(await problem()).toBeNull();
});
