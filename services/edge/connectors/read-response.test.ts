import { once } from 'node:events';
import { constants, createServer, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Http2Connection, type RequestStream } from '../http2/connection.ts';
import { collectText } from './read-response.ts';

/** How the other side responds. */
let response = (_stream: ServerHttp2Stream) => {};
const server = createServer();
let http2: Http2Connection;
const open = () => new Http2Connection(connect((server.address() as AddressInfo).port, '127.0.0.1'));
beforeAll(async () => {
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    response(stream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  http2 = open();
});
afterAll(() => {
  http2.destroy();
  server.close();
});

/** Reads the response on a stream of its own. */
function read(on = http2): { stream: RequestStream; text: Promise<string> } {
  const { receiver, text } = collectText(() => stream.reset(constants.NGHTTP2_CANCEL));
  const fields = { ':method': 'GET', ':scheme': 'http', ':authority': 'edge', ':path': '/' };
  const stream = on.request(fields, receiver, { endStream: true });
  return { stream, text };
}

it('is the whole text, in whatever pieces it comes', async () => {
  const bytes = Buffer.from('{"lastVersion":3,"ü":""}');
  const middle = bytes.indexOf('ü') + 1;
  response = (stream) => {
    stream.respond({ ':status': 200 });
    stream.write(bytes.subarray(0, middle), () => stream.end(bytes.subarray(middle)));
  };
  expect(await read().text).toBe('{"lastVersion":3,"ü":""}');
});

it('may be empty, and has 65 536 bytes at most; of more no further ones are read', async () => {
  const ofLength = (length: number) => (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200 });
    stream.end('x'.repeat(length));
  };
  for (const length of [0, 65_536]) {
    response = ofLength(length);
    expect((await read().text).length).toBe(length);
  }
  response = (stream) => {
    stream.respond({ ':status': 200 });
    stream.write('x'.repeat(65_537));
  };
  const { stream, text } = read();
  await expect(text).rejects.toThrow('the response is too long');
  expect(stream.isClosed).toBe(true);
});

it('is an error for another status, whatever follows, and its stream is closed', async () => {
  response = (stream) => {
    stream.respond({ ':status': 500 });
    stream.write('{}');
  };
  const { stream, text } = read();
  await expect(text).rejects.toThrow('responded with status 500');
  expect(stream.isClosed).toBe(true);
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
  const own = open();
  await expect(read(own).text).rejects.toThrow();
  own.destroy();
});
