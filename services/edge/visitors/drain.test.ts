import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Agent, createServer, get } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { connect as connectByTls } from 'node:tls';
import { createLog } from '@talpa/service-kit/log';
import { certificateFiles, testCertificate } from '@talpa/test-kit/certificate';
import { ask, begin, rawSocket, read } from '@talpa/test-kit/raw-http';
import { connectPair, proxyTo } from '@talpa/test-kit/tunnel-connection';
import { host, noWall, settingsOf } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';
import { createTraffic } from '../traffic/traffic.ts';
import { startVisitorSide } from './start.ts';

/** A visitor's side of its own, which the test stops. */
async function startSide(drainMs: string, more: Record<string, string> = {}) {
  const waiting: ServerResponse[] = [];
  const origin = createServer((request, response) => {
    if (request.url === '/wait') waiting.push(response);
    else response.end('quick');
  });
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const connection = await connectPair(proxyTo((origin.address() as AddressInfo).port));
  const side = await startVisitorSide(
    settingsOf({ EDGE_DRAIN_MS: drainMs, ...more }),
    {
      findRoute: () => ({ proxyId: 'p1', tunnelId: 't1' }),
      findRule: async () => 0,
      isThere: async () => true,
      isKnown: () => true,
      pick: () => connection,
    },
    noWall,
    createTraffic(),
    createLog('edge', 'fatal'),
  );
  const end = () => {
    connection.edge.destroy();
    connection.socket.destroy();
    origin.closeAllConnections();
    origin.close();
  };
  return { side, waiting, end, port: side.httpPort };
}

it('finishes what runs when it stops, and takes nothing new', async () => {
  const { side, waiting, end, port } = await startSide('60000');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [first] = await once(get({ port, host: '127.0.0.1', headers: { host }, agent }), 'response');
  await read(first);
  const running = ask({ port, host, path: '/wait' });
  await until('the request at the panel', () => waiting.length === 1);
  const stopped = side.stop();
  await expect(ask({ port, host })).rejects.toThrow('ECONNREFUSED');
  waiting[0]?.end('finished');
  expect(await running).toMatchObject({ body: 'finished', headers: { connection: 'close' } });
  await stopped;
  agent.destroy();
  end();
});

it('responds to a visitor who had connected when it stopped, and sent their request afterwards', async () => {
  const { side, end, port } = await startSide('60000');
  const { socket, received } = rawSocket(port, '');
  await until('the connection', () => side.sockets().http === 1);
  const stopped = side.stop();
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await until('the response', () => received().endsWith('quick'));
  await stopped;
  end();
});

it('does the same over HTTPS, and has browsers with HTTP/2 open another connection for what it does not take', async () => {
  const files = certificateFiles();
  const tls = { EDGE_HTTPS_PORT: '0', EDGE_TLS_CERT: files.certFile, EDGE_TLS_KEY: files.keyFile };
  const { side, end } = await startSide('60000', tls);
  const arrive = () => connect(side.httpsPort ?? 0, '127.0.0.1');
  const sockets = [arrive(), arrive()] as const;
  await until('the connections', () => side.sockets().https === 2);
  const stopped = side.stop();
  const trust = { ca: testCertificate.cert, servername: host };
  const older = connectByTls({ socket: sockets[0], ...trust });
  let received = '';
  older.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  older.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const newer = connectByTls({ socket: sockets[1], ALPNProtocols: ['h2'], ...trust });
  const session = connectHttp2(`https://${host}`, { createConnection: () => newer });
  session.on('error', () => {});
  const refused = once(session, 'goaway');
  const taken = once(session, 'remoteSettings').then(() => once(session.request(), 'response'));
  taken.catch(() => {});
  expect(await Promise.race([refused, taken])).toEqual(await refused);
  expect((await refused)[0]).toBe(constants.NGHTTP2_NO_ERROR);
  await until('the response', () => received.endsWith('quick'));
  await stopped;
  session.destroy();
  rmSync(files.folder, { recursive: true });
  end();
});

it('cuts what does not finish in time', async () => {
  const { side, waiting, end, port } = await startSide('50');
  const silent = ask({ port, host, path: '/wait', headers: { accept: 'application/json' } });
  await until('the request at the panel', () => waiting.length === 1);
  const begun = begin({ port, host, path: '/wait' });
  await until('the request at the panel', () => waiting.length === 2);
  waiting[1]?.write('some');
  const response = await begun;
  await side.stop();
  expect((await silent).status).toBe(504);
  await expect(read(response)).rejects.toThrow('aborted');
  expect(side.running()).toBe(0);
  end();
});
