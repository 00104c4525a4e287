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
import { readAnswer } from './read-answer.ts';

/** How the other side answers. */
let answer = (_stream: ServerHttp2Stream) => {};
const server = createServer();
let session: ClientHttp2Session;
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
beforeAll(async () => {
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    answer(stream);
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
  answer = (stream) => {
    stream.respond({ ':status': 200 });
    stream.write(bytes.subarray(0, middle), () => stream.end(bytes.subarray(middle)));
  };
  expect(await readAnswer(open())).toBe('{"lastVersion":3,"ü":""}');
});

it('may be empty, and has 65 536 characters at most; of more no further ones are read', async () => {
  const ofLength = (length: number) => (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200 });
    stream.end('x'.repeat(length));
  };
  for (const length of [0, 65_536]) {
    answer = ofLength(length);
    expect((await readAnswer(open())).length).toBe(length);
  }
  answer = (stream) => {
    stream.respond({ ':status': 200 });
    stream.write('x'.repeat(65_537));
  };
  const stream = open();
  const closed = once(stream, 'close');
  await expect(readAnswer(stream)).rejects.toThrow('an answer that is too long');
  await closed;
});

it('is an error for another status, whatever follows, and its stream is closed', async () => {
  answer = (stream) => {
    stream.respond({ ':status': 500 });
    stream.write('{}');
  };
  const stream = open();
  const closed = once(stream, 'close');
  await expect(readAnswer(stream)).rejects.toThrow('answered with status 500');
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
  answer = end;
  // A connection of its own: it may be lost.
  const own = connect(url());
  own.on('error', () => {});
  await expect(readAnswer(own.request({ ':path': '/' }))).rejects.toThrow();
  own.destroy();
});
