import type { ServerHttp2Stream } from 'node:http2';
import { ask } from '@talpa/test-kit/raw-http';
import { responseHead } from '@talpa/test-kit/tunnel-connection';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const test = useVisitorSide();
const visit = () => ask({ port: test.port, host });
const problem = () => test.traffic.of('p1').problem;

const frame = (first: number, text: string) => {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([first, 126, payload.length >> 8, payload.length & 255]), payload]);
};
/** The proxy's own rule is 1; the connector's log has those of its siblings, too. */
const line = (error: string) => ({
  type: 'logs',
  logs: [
    {
      level: 'error',
      event: 'http',
      fields: { ingressRule: 0, error: 'first record does not look like a TLS handshake' },
    },
    { level: 'error', event: 'http', fields: { ingressRule: 1, error } },
  ],
});

/** A connector that reaches no origin, and says why in its log, as cloudflared does. */
async function connectUnable(error: string) {
  const requests: string[] = [];
  let log: ServerHttp2Stream | undefined;
  const connection = await test.connect();
  connection.onStream = (stream, headers) => {
    requests.push(`${headers[':method']} ${headers[':authority']}`);
    if (headers[':authority'] === 'management.argotunnel.com') {
      log = stream;
      stream.respond(responseHead(200, ['Sec-WebSocket-Accept', 'x']));
      // Its wish and a ping, both masked; the pong comes when both were read, from a hostile one many times.
      stream.once('data', () => {
        for (let count = 0; count < 20; count += 1) stream.write(frame(0x8a, ''));
      });
      return;
    }
    stream.respond(responseHead(502, [], 'cloudflared'));
    stream.end();
    if (headers[':method'] === 'HEAD') log?.write(frame(0x81, JSON.stringify(line(error))));
  };
  return { requests, closed: () => until('the log’s end', () => log?.closed === true) };
}

it('a connector that does not reach a panel is asked why, once for many visitors, with one request of the edge’s own', async () => {
  const { requests, closed } = await connectUnable('tls: failed to verify certificate: x509: expired');
  expect((await visit()).status).toBe(502);
  await until('the problem', () => problem() === 'certificate');
  await closed();
  expect((await visit()).status).toBe(502);
  expect(requests).toEqual([`GET ${host}`, 'GET management.argotunnel.com', `HEAD ${host}`, `GET ${host}`]);
});
