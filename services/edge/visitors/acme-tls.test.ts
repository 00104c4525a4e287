import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { testCertificate } from '@talpa/test-kit/certificate';
import { expect, it, onTestFinished } from 'vitest';
import { divertChallenges } from './acme-tls.ts';

it.each([
  ['nothing', []],
  ['a part of its ClientHello', [Buffer.from([22, 3, 1, 1, 0, 1])]],
])('cuts a connection that sends %s for longer than a handshake may take', async (_what, sent) => {
  const server = createSecureServer({ cert: testCertificate.cert, key: testCertificate.key });
  divertChallenges(server, async () => null, 20);
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  for (const bytes of sent) socket.write(bytes);
  socket.resume();
  const [hadError] = await once(socket, 'close');
  expect(hadError).toBe(false);
});
