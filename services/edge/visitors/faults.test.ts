import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { request } from 'node:http';
import { constants } from 'node:http2';
import { connect } from 'node:net';
import { frame, headFrames } from '@talpa/test-kit/frames';
import { ask, begin, type RawAsk, rawSocket, read } from '@talpa/test-kit/raw-http';
import { responseHead, serialize } from '@talpa/test-kit/tunnel-connection';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { beforeEach, expect, it } from 'vitest';
import { resetStream } from './reset.ts';

const test = useVisitorSide({ EDGE_RESPONSE_TIMEOUT_MS: '10000', EDGE_IDLE_TIMEOUT_MS: '60000' });
beforeEach(async () => {
  test.origin = (_request, response) => response.end('origin');
  await test.connect();
});

const visit = (options: Partial<RawAsk> = {}) => ask({ port: test.port, host, ...options });
const json = { accept: 'application/json' };
const first = () => {
  const [connection] = test.connections;
  if (!connection) throw new Error('there is no connection');
  return connection;
};
const nothingRuns = () => until('that nothing runs', () => test.side.running() === 0);

it('responds with 502 for the requests of a connection that breaks, and goes on with the others', async () => {
  const waiting: ServerResponse[] = [];
  test.origin = (request, response) => {
    if (request.url === '/wait') waiting.push(response);
    else response.end('served');
  };
  const broken = visit({ method: 'DELETE', path: '/wait', headers: json });
  await until('the request at the panel', () => waiting.length === 1);
  const doomed = first();
  await test.connect();
  const other = visit({ method: 'DELETE', path: '/wait' });
  // One of the two connections was taken; the other request lies on the first or the second.
  await until('both requests at the panel', () => waiting.length === 2);
  doomed.socket.destroy();
  const response = await broken;
  expect([response.status, JSON.parse(response.body).code]).toEqual([502, 'connection_lost']);
  for (const response of waiting) response.end('late');
  expect([200, 502]).toContain((await other).status);
  expect((await visit()).body).toBe('served');
  await nothingRuns();
});

it.each(['stated', 'unknown'])(
  'breaks a response of %s length off when its connection breaks in the middle',
  async (kind) => {
    let response: ServerResponse | undefined;
    test.origin = (_request, one) => {
      response = one;
      one.writeHead(200, kind === 'stated' ? { 'content-length': 1_000 } : {});
      one.write('half');
    };
    const received = await begin({ port: test.port, host });
    const [chunk] = await once(received, 'data');
    expect(String(chunk)).toBe('half');
    first().socket.destroy();
    await expect(read(received)).rejects.toThrow('aborted');
    await nothingRuns();
    expect(response).toBeDefined();
  },
);

it.each([
  [constants.NGHTTP2_CANCEL, undefined],
  [constants.NGHTTP2_INTERNAL_ERROR, undefined],
  [constants.NGHTTP2_CANCEL, '1000'],
  [constants.NGHTTP2_NO_ERROR, '1000'],
] as const)(
  'breaks a response off when the connector resets it in the middle (code %d, length %s), and no other',
  async (code, length) => {
    const connection = first();
    const serve = connection.onStream;
    connection.onStream = (stream, headers) => {
      if (headers[':path'] !== '/reset') return serve(stream, headers);
      stream.respond(responseHead(200, length === undefined ? [] : ['Content-Length', length]));
      stream.write('half', () => resetStream(stream, code));
    };
    const response = await begin({ port: test.port, host, path: '/reset' });
    await expect(read(response)).rejects.toThrow('aborted');
    expect((await visit()).body).toBe('origin');
    await nothingRuns();
  },
);

it('writes what came of a response before its reset, although both came at once', async () => {
  const connection = first();
  connection.onStream = ({ id = 0 }) => {
    const reset = frame(3, 0, id, Buffer.from([0, 0, 0, constants.NGHTTP2_CANCEL]));
    connection.socket.write(
      Buffer.concat([headFrames(id, serialize([])), frame(0, 0, id, Buffer.from('half')), reset]),
    );
  };
  const response = await begin({ port: test.port, host });
  let text = '';
  response.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  await expect(once(response, 'end')).rejects.toThrow('aborted');
  expect([response.statusCode, text]).toEqual([200, 'half']);
  await nothingRuns();
});

it('responds with 502 when the connector sends nonsense, and writes no byte of it', async () => {
  const heads = [
    { ':status': 200, 'cf-cloudflared-response-headers': 'nonsense' },
    responseHead(200, ['X-A', 'a\r\nSet-Cookie: forged=1']),
    responseHead(200, ['X A', 'b']),
    responseHead(200, ['Content-Length', '4', 'Content-Length', '5']),
    responseHead(200, ['Content-Length', '-4']),
  ];
  for (const head of heads) {
    first().onStream = (stream) => {
      stream.respond({ ...head, 'content-length': undefined });
      stream.end('evil');
    };
    const response = await visit({ headers: json });
    expect([response.status, JSON.parse(response.body).code]).toEqual([502, 'connection_lost']);
    expect(response.rawHeaders.join()).not.toContain('forged');
  }
  await nothingRuns();
});

it('passes on no trailer that no server may send, and lives on', async () => {
  first().onStream = (stream) => {
    stream.respond(responseHead(200, ['Trailer', 'x-a']), { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-a': 'a\u0001b' }));
    stream.end('body');
  };
  const { socket, received } = rawSocket(test.port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await until('the end', () => received().includes('0\r\n'));
  socket.destroy();
  expect(received()).not.toContain('x-a: a');
  await nothingRuns();
});

it('never lets more than the stated length through: it would be taken for the next response', async () => {
  first().onStream = (stream) => {
    const { 'content-length': _, ...head } = responseHead(200, ['Content-Length', '4']);
    stream.respond(head);
    stream.end('fourHTTP/1.1 200 OK\r\n\r\n');
  };
  const { socket, received } = rawSocket(test.port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(socket, 'close');
  expect(received()).not.toContain('fourHTTP');
  await nothingRuns();
});

it('tries another connection when the first refuses the stream, whatever the method; with a body only unread', async () => {
  let refused = 0;
  const refusing = first();
  refusing.onStream = (stream) => {
    refused += 1;
    stream.close(constants.NGHTTP2_REFUSED_STREAM);
  };
  await test.connect();
  for (let index = 0; index < 6; index += 1) expect((await visit({ method: 'DELETE' })).status).toBe(200);
  expect(refused).toBeGreaterThan(0);
});

it('goes to another connection with a body of which nothing was read, go-ahead included', async () => {
  let refused = 0;
  first().onStream = (stream) => {
    refused += 1;
    resetStream(stream, constants.NGHTTP2_REFUSED_STREAM);
  };
  await test.connect();
  test.origin = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.end(`<${body}>`);
  };
  const head = `POST / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n`;
  for (let index = 0; index < 4; index += 1) {
    const { socket, received } = rawSocket(test.port, head);
    await until('the go-ahead', () => received().includes('100 Continue'));
    await until(
      'that the other connection has it',
      () => index > 0 || refused > 0 || test.side.running() === 1,
    );
    socket.write('body');
    await until('a response', () => /<body>|HTTP\/1.1 502/.test(received()));
    socket.destroy();
  }
  expect(refused).toBeGreaterThan(0);
});

it('sends nothing new to a connection that said goodbye, and lets its requests finish', async () => {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  test.origin = async (request, response) => {
    if (request.url !== '/slow') return response.end('new');
    asked.resolve();
    await held.promise;
    response.end('finished');
  };
  const slow = visit({ path: '/slow' });
  await asked.promise;
  first().connector.close();
  await until('the goodbye', () => first().edge.closed);
  await test.connect();
  for (let index = 0; index < 4; index += 1) expect((await visit()).body).toBe('new');
  held.resolve();
  expect((await slow).body).toBe('finished');
});

it('resets the stream when the visitor leaves, while they wait, read or send', async () => {
  const closed: number[] = [];
  const open: string[] = [];
  const ended: number[] = [];
  first().onStream = (stream, headers) => {
    const path = String(headers[':path']);
    open.push(path);
    stream.on('close', () => closed.push(stream.rstCode ?? 0));
    // The end of a body that is whole; a reset ends it too, but says so.
    stream.on('end', () => path !== '/waits' && path !== '/reads' && ended.push(stream.rstCode ?? 0));
    stream.resume();
    if (path === '/reads') {
      stream.respond(responseHead(200, []));
      stream.write('some');
    }
  };
  const heads = [
    `GET /waits HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET /reads HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `POST /sends HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000\r\n\r\nsome`,
    `POST /chunks HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n`,
  ];
  for (const [index, head] of heads.entries()) {
    const { socket } = rawSocket(test.port, head);
    await until('the request at the connector', () => open.length === index + 1);
    socket.destroy();
    await until('the reset', () => closed.length === index + 1);
  }
  expect(closed).toEqual([8, 8, 8, 8]);
  expect(ended).not.toContain(0);
  await nothingRuns();
});

it('holds little of a large response for a visitor who does not read, and goes on serving others', async () => {
  let sent = 0;
  first().onStream = (stream, headers) => {
    if (headers[':path'] !== '/large') {
      stream.respond(responseHead(200, []));
      stream.end('quick');
      return;
    }
    stream.respond(responseHead(200, []));
    const chunk = Buffer.alloc(65_536);
    const fill = () => {
      while (!stream.destroyed && sent < 200_000_000) {
        sent += chunk.length;
        if (!stream.write(chunk)) break;
      }
    };
    stream.on('drain', fill);
    fill();
  };
  const reader = connect(test.port, '127.0.0.1');
  reader.pause();
  reader.write(`GET /large HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  let last = -1;
  await until('that it stands still', async () => {
    const before = last;
    last = sent;
    expect((await visit()).body).toBe('quick');
    return sent > 0 && before === sent;
  });
  // Two socket buffers of the kernel, the stream's window of 1 MiB, and what Node holds.
  expect(sent).toBeLessThan(20_000_000);
  expect(test.traffic.of('p1').bytesOut).toBeLessThan(16_000_000);
  reader.destroy();
  await nothingRuns();
});

it('holds little of a large upload for a panel that does not read', async () => {
  first().onStream = (stream) => stream.pause();
  const socket = connect(test.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 900000000\r\n\r\n`);
  let flushed = 0;
  const chunk = Buffer.alloc(1_000_000);
  const fill = () => {
    if (flushed >= 200) return;
    socket.write(chunk, () => {
      flushed += 1;
      fill();
    });
  };
  fill();
  let last = -1;
  await until('that it stands still', () => {
    const before = last;
    last = flushed;
    return flushed > 0 && before === flushed;
  });
  expect(test.traffic.take().get('p1')?.bytesIn ?? 0).toBeLessThan(4_000_000);
  // While nobody reads a visitor's bytes, their leaving is not noticed.
  socket.destroy();
  test.side.sweep(performance.now() + 11_000);
  await nothingRuns();
});

it('passes on a response that comes before the upload has ended, and ends the upload', async () => {
  test.origin = (_request, response) => response.writeHead(413).end('too much');
  const upload = request({ port: test.port, host: '127.0.0.1', method: 'POST', headers: { host } });
  upload.on('error', () => {});
  upload.write('some');
  const [response] = await once(upload, 'response');
  expect(await read(response)).toMatchObject({ status: 413, body: 'too much' });
  upload.destroy();
  await nothingRuns();
});

it('gives up on a panel that does not begin to respond with 504, and on a stream that lies still', async () => {
  test.origin = (request, response) => {
    if (request.url === '/still') response.write('some');
  };
  const silent = visit({ headers: json });
  await until('the request', () => test.side.running() === 1);
  test.side.sweep(performance.now() + 9_000);
  expect(test.side.running()).toBe(1);
  test.side.sweep(performance.now() + 11_000);
  const response = await silent;
  expect([response.status, JSON.parse(response.body).code]).toEqual([504, 'timeout']);
  const still = await begin({ port: test.port, host, path: '/still' });
  await once(still, 'data');
  test.side.sweep(performance.now() + 59_000);
  expect(still.destroyed).toBe(false);
  test.side.sweep(performance.now() + 61_000);
  await expect(read(still)).rejects.toThrow('aborted');
  await nothingRuns();
});
