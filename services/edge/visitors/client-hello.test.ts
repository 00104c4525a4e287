import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { beforeAll, expect, it } from 'vitest';
import { readClientHello } from './client-hello.ts';

let hello: Buffer;
beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as { port: number };
  const socket = connect(address.port, '127.0.0.1');
  const client = connectTls({ socket, servername: 'a.example.test', ALPNProtocols: ['h2', 'acme-tls/1'] });
  client.on('error', () => {});
  const [accepted] = (await once(server, 'connection')) as [Socket];
  [hello] = (await once(accepted, 'data')) as [Buffer];
  accepted.destroy();
  server.close();
});

it('reads the name and the protocols of a real client', () => {
  expect(readClientHello(hello)).toEqual({ serverName: 'a.example.test', protocols: ['h2', 'acme-tls/1'] });
});

it('waits for the whole record, however it is cut', () => {
  for (let length = 0; length < hello.length; length += 1)
    expect(readClientHello(hello.subarray(0, length))).toBeUndefined();
});

it('leaves what is no ClientHello to TLS, and never fails', () => {
  expect(readClientHello(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toBeNull();
  const tooLong = Buffer.from(hello);
  tooLong.writeUInt16BE(65_535, 3);
  expect(readClientHello(tooLong)).toBeNull();
  const beyond = Buffer.from(hello);
  // The extensions follow the session's id, the cipher suites and the compression methods.
  let at = 43 + 1 + hello.readUInt8(43);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  beyond.writeUInt16BE(beyond.readUInt16BE(at) + 1, at);
  expect(readClientHello(beyond)).toBeNull();
  // Each byte in turn has other values, lengths among them.
  for (let place = 5; place < hello.length; place += 1)
    for (const value of [0, 1, 127, 255]) {
      const bytes = Buffer.from(hello);
      bytes[place] = value;
      expect(readClientHello(bytes)).not.toBeUndefined();
    }
});
