import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '@talpa/service-kit/log';
import { ask, begin, read } from '@talpa/test-kit/raw-http';
import { connectPair, proxyTo } from '@talpa/test-kit/tunnel-connection';
import { host, settingsOf } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';
import { createTraffic } from '../traffic/traffic.ts';
import { startVisitorSide } from './start.ts';

/** A visitor's side of its own, which the test stops. */
async function startSide(drainMs: string) {
  const waiting: ServerResponse[] = [];
  const origin = createServer((request, response) => {
    if (request.url === '/wait') waiting.push(response);
    else response.end('quick');
  });
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const connection = await connectPair(proxyTo((origin.address() as AddressInfo).port));
  const side = await startVisitorSide(
    settingsOf({ EDGE_DRAIN_MS: drainMs }),
    { findRoute: () => ({ tunnelId: 't1' }), isKnown: () => true, pick: () => connection },
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
