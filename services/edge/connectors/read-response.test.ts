import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readResponse } from './read-response.ts';

/** How the other side responds. */
let response = (_stream: ServerHttp2Stream) => {};
const server = createServer();
let session: ClientHttp2Session;
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
beforeAll(async () => {
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    response(stream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  session = connect(url());
});
afterAll(() => {
  session.destroy();
  server.close();
});

const open = () => session.request({ ':path': '/' });

it('is the whole text, in whatever pieces it comes', async () => {
  const bytes = Buffer.from('{"lastVersion":3,"ü":""}');
  const middle = bytes.indexOf('ü') + 1;
  response = (stream) => {
    stream.respond({ ':status': 200 });
    stream.write(bytes.subarray(0, middle), () => stream.end(bytes.subarray(middle)));
  };
  expect(await readResponse(open())).toBe('{"lastVersion":3,"ü":""}');
});

it('may be empty, and has 65 536 characters at most; of more no further ones are read', async () => {
  const ofLength = (length: number) => (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200 });
    stream.end('x'.repeat(length));
  };
  for (const length of [0, 65_536]) {
    response = ofLength(length);
    expect((await readResponse(open())).length).toBe(length);
  }
  response = (stream) => {
    stream.respond({ ':status': 200 });
    stream.write('x'.repeat(65_537));
  };
  const stream = open();
  const closed = once(stream, 'close');
  await expect(readResponse(stream)).rejects.toThrow('the response is too long');
  await closed;
});

it('is an error for another status, whatever follows, and its stream is closed', async () => {
  response = (stream) => {
    stream.respond({ ':status': 500 });
    stream.write('{}');
  };
  const stream = open();
  const closed = once(stream, 'close');
  await expect(readResponse(stream)).rejects.toThrow('responded with status 500');
  await closed;
});

it.each([
  ['before its head', (stream: ServerHttp2Stream) => stream.close(constants.NGHTTP2_CANCEL)],
  ['before its head, without a reason', (stream: ServerHttp2Stream) => stream.close()],
  [
    'in its middle',
    (stream: ServerHttp2Stream) => {
      stream.respond({ ':status': 200 });
      stream.write('{"lastVersion":3', () => stream.destroy(new Error('broken off')));
    },
  ],
  [
    'in its middle, with its connection',
    (stream: ServerHttp2Stream) => {
      stream.respond({ ':status': 200 });
      stream.write('{"lastVersion":3', () => stream.session?.destroy());
    },
  ],
])('is an error when it ends %s', async (_, end) => {
  response = end;
  // A connection of its own: it may be lost.
  const own = connect(url());
  own.on('error', () => {});
  await expect(readResponse(own.request({ ':path': '/' }))).rejects.toThrow();
  own.destroy();
});
