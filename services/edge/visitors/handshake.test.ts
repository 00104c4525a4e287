import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '@talpa/service-kit/log';
import { certificateFiles, testCertificate } from '@talpa/test-kit/certificate';
import { expect, it, onTestFinished } from 'vitest';
import { certificateOfFiles } from './certificate-files.ts';
import { type Handlers, listenHttps } from './listen.ts';

const handshakeMs = 200;

async function visit(port: number): Promise<number | string> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, {
    ca: testCertificate.cert,
    servername: 'tunnel.localhost',
  });
  session.on('error', () => {});
  const closed = once(session, 'close').then(() => 'closed');
  const stream = session.request({ ':path': '/' });
  stream.on('error', () => {});
  const status = once(stream, 'response').then(([head]) => Number(head[':status']));
  status.catch(() => {});
  const outcome = await Promise.race([status, closed]);
  session.destroy();
  return outcome;
}

it('a handshake that ends after its time ends the connection, and no other visitor notices', async () => {
  const files = certificateFiles();
  onTestFinished(() => rmSync(files.folder, { recursive: true }));
  const listener = await listenHttps(
    { request: (_request, response) => void response.end() } as Handlers,
    { host: '127.0.0.1', port: 0, connections: { limit: 100, isProxy: () => false } },
    certificateOfFiles(files, createLog('test', 'silent')),
    handshakeMs,
  );
  onTestFinished(listener.destroy);
  // Holds back what a visitor sends after its ClientHello, for as long as the edge waits and longer.
  const relay = createServer((visitor) => {
    const edge = connect(listener.port, '127.0.0.1');
    const closed = once(edge, 'close');
    visitor.once('data', (hello) => {
      edge.write(hello);
      visitor.on('data', async (rest) => {
        await Promise.race([closed, sleep(5 * handshakeMs)]);
        edge.write(rest);
      });
    });
    edge.on('data', (bytes) => visitor.write(bytes));
    edge.on('error', () => {});
    edge.on('close', () => visitor.destroy());
    visitor.on('error', () => {});
    visitor.on('close', () => edge.destroy());
  });
  onTestFinished(() => void relay.close());
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  expect(await visit((relay.address() as AddressInfo).port)).toBe('closed');
  expect(await visit(listener.port)).toBe(200);
});
