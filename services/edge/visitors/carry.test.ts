import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { ask, begin, type RawAsk, rawSocket } from '@talpa/test-kit/raw-http';
import { responseHead } from '@talpa/test-kit/tunnel-connection';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { beforeEach, describe, expect, it } from 'vitest';

const test = useVisitorSide({ EDGE_BODY_LIMIT_BYTES: '20000000', EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: '1000' });
beforeEach(async () => {
  test.origin = (_request, response) => response.end('origin');
  await test.connect();
});

const visit = (options: Partial<RawAsk> = {}) => ask({ port: test.port, host, ...options });
const bodyOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

describe('a request', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'reaches the panel with its method, path, query and body: %s',
    async (method) => {
      test.origin = async (request, response) =>
        response.end(`${request.method} ${request.url} ${await bodyOf(request)}`);
      const { body } = await visit({
        method,
        path: '/a%20b?x=1&y=%C3%BC',
        headers: { 'content-length': 5 },
        body: 'hello',
      });
      expect(body).toBe(`${method} /a%20b?x=1&y=%C3%BC hello`);
    },
  );

  it('sends the panel the visitor’s address and host, and nothing the visitor made up', async () => {
    test.origin = (request, response) => response.end(JSON.stringify(request.headers));
    const { body, headers } = await visit({
      host: `${host.toUpperCase()}.:8081`,
      headers: {
        'x-forwarded-for': '6.6.6.6',
        'cf-connecting-ip': '6.6.6.6',
        'x-txadmin-token': 'forged',
        'x-txadmin-csrftoken': 'kept',
        connection: 'close, x-hop',
        'x-hop': '1',
      },
    });
    const seen = JSON.parse(body) as Record<string, string>;
    expect(seen).toMatchObject({
      host: `${host}:8081`,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': `${host}:8081`,
      'cf-connecting-ip': '127.0.0.1',
      'x-txadmin-csrftoken': 'kept',
    });
    expect(seen['cf-ray']).toBe(headers['cf-ray']);
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['x-hop']));
    expect(body).not.toContain('forged');
    expect(body).not.toContain('6.6.6.6');
  });

  it('reaches the panel with a target that no URL has, and with no wish for gzip that the visitor did not have', async () => {
    test.origin = (request, response) => response.end(`${request.url} ${request.headers['accept-encoding']}`);
    for (const [path, arrived] of [
      ['/100%/%zz%2Fb?%zz', '/100%25/%25zz%2Fb?%zz'],
      ['/a%2Fb|"<>\\^`{}#?|', '/a%2Fb%7C%22%3C%3E%5C%5E%60%7B%7D%23?|'],
      [`/!$&'()*+,;=:@[]~-._%e4`, `/!$&'()*+,;=:@[]~-._%e4`],
    ] as const)
      expect((await visit({ path })).body).toBe(`${arrived} identity`);
    expect((await visit({ headers: { 'accept-encoding': '' } })).body).toBe('/ identity');
    expect((await visit({ headers: { 'accept-encoding': 'br' } })).body).toBe('/ br');
  });

  it('may have a body of ten megabytes, with or without a stated length', async () => {
    test.origin = async (request, response) => response.end(String((await bodyOf(request)).length));
    const body = Buffer.alloc(10_000_000, 'x');
    expect((await visit({ method: 'POST', body })).body).toBe('10000000');
    const chunked = { 'transfer-encoding': 'chunked' };
    expect((await visit({ method: 'POST', body, headers: chunked })).body).toBe('10000000');
  });

  it('gets “100 Continue” when it expects so, and its body arrives', async () => {
    test.origin = async (request, response) => response.end(await bodyOf(request));
    const head = `POST / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`;
    const { socket, received } = rawSocket(test.port, head);
    await until('the go-ahead', () => received().startsWith('HTTP/1.1 100 Continue'));
    socket.write('abc');
    await until('the response', () => received().endsWith('abc'));
    socket.destroy();
  });

  it('gets “100 Continue” in front of its response and never in it, while it waits for an earlier one', async () => {
    const held = Promise.withResolvers<void>();
    test.origin = async (request, response) => {
      if (request.url === '/slow') await held.promise;
      response.end(`<${request.url}${await bodyOf(request)}>`);
    };
    const head = `POST / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`;
    const slow = `GET /slow HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const eager = rawSocket(test.port, `${slow}${head}abc`);
    const patient = rawSocket(test.port, slow + head);
    const { requests } = test.traffic.of('p1');
    await until('the response that waits for its turn', () => test.traffic.of('p1').requests > requests);
    held.resolve();
    await until('both responses', () => eager.received().endsWith('</abc>'));
    expect(eager.received()).not.toContain('Continue');
    await until('the go-ahead', () => patient.received().endsWith('</slow>HTTP/1.1 100 Continue\r\n\r\n'));
    patient.socket.write('xyz');
    await until('its response', () => patient.received().endsWith('</xyz>'));
    for (const { socket } of [eager, patient]) socket.destroy();
  });

  it('is refused before its body is sent when that is too large, and while it is sent when no length is stated', async () => {
    const head = `POST / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: 20000001\r\n\r\n`;
    const { socket, received } = rawSocket(test.port, head);
    await until('the refusal', () => received().startsWith('HTTP/1.1 413'));
    socket.destroy();
    test.origin = (request) => request.resume();
    const headers = { 'transfer-encoding': 'chunked', accept: 'application/json' };
    const response = await visit({ method: 'POST', headers, body: Buffer.alloc(20_000_001) });
    expect([response.status, JSON.parse(response.body).code]).toEqual([413, 'body_too_large']);
  });

  it('brings its trailers', async () => {
    test.origin = async (request, response) => {
      await bodyOf(request);
      response.end(JSON.stringify(request.trailers));
    };
    const text = `POST / HTTP/1.1\r\nHost: ${host}\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n`;
    const { received } = rawSocket(test.port, text);
    await until('the response', () => received().includes('{"x-sum":"7"}'));
  });

  it('that names its host in the target goes there, whatever Host says', async () => {
    const text = `GET http://${host}/x HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`;
    test.origin = (request, response) => response.end(`${request.headers.host} ${request.url}`);
    const { received } = rawSocket(test.port, text);
    await until('the response', () => received().endsWith(`${host} /x`));
  });
});

describe('a response', () => {
  it('brings every Set-Cookie, and nothing that concerned the origin’s connection', async () => {
    test.origin = (_request, response) => {
      response.writeHead(200, [
        ...['Set-Cookie', 'a=1; HttpOnly', 'Set-Cookie', 'b=2', 'Content-Type', 'text/plain'],
        ...['Connection', 'x-hop, keep-alive', 'X-Hop', '1', 'X-Stays', '1'],
      ]);
      response.end('ok');
    };
    const { headers } = await visit();
    expect(headers['set-cookie']).toEqual(['a=1; HttpOnly', 'b=2']);
    expect(headers).toMatchObject({ 'content-type': 'text/plain', 'x-stays': '1' });
    expect(headers).not.toHaveProperty('x-hop');
    expect(Object.keys(headers).filter((name) => name.startsWith('cf-cloudflared'))).toEqual([]);
  });

  it.each([204, 304])('has no body and keeps its headers: %d', async (status) => {
    test.origin = (_request, response) => response.writeHead(status, { etag: '"1"' }).end();
    const response = await visit();
    expect([response.status, response.headers.etag, response.body]).toEqual([status, '"1"', '']);
    expect(response.headers['transfer-encoding']).toBeUndefined();
  });

  it('to HEAD states the length and has no body', async () => {
    test.origin = (_request, response) => response.writeHead(200, { 'content-length': 5 }).end();
    const response = await visit({ method: 'HEAD' });
    expect([response.status, response.headers['content-length'], response.body]).toEqual([200, '5', '']);
  });

  it('brings its trailers', async () => {
    test.origin = (_request, response) => {
      response.writeHead(200, { trailer: 'x-sum' });
      response.write('abc');
      response.addTrailers({ 'x-sum': '7' });
      response.end();
    };
    expect(await visit()).toMatchObject({ body: 'abc', trailers: { 'x-sum': '7' } });
  });

  it.each(['f\xc3\xbcr J\xc3\xb6rg\xe2\x80\xa6.zip', 'f\xfcr J\xf6rg.zip'])(
    'brings header bytes as they came, ASCII or not: %j',
    async (name) => {
      const [connection] = test.connections;
      const fields = [
        'Content-Length',
        '2',
        'X-A',
        name,
        'Content-Disposition',
        `attachment; filename="${name}"`,
      ];
      if (connection)
        connection.onStream = (stream) => {
          stream.respond(responseHead(200, fields));
          stream.end('ok');
        };
      const { socket, received } = rawSocket(test.port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      await until('the response', () => received().endsWith('\r\n\r\nok'));
      expect(received()).toContain(`\r\nX-A: ${name}\r\n`);
      expect(received()).toContain(`\r\nContent-Disposition: attachment; filename="${name}"\r\n`);
      socket.destroy();
    },
  );

  it.each([10, 6_000, 100_000])(
    'without a length comes whole on the wire, and the next one after it: %d bytes',
    async (bytes) => {
      // The answer comes in one turn of the edge's event loop: heads, bodies and ends all meet there.
      const [connection] = test.connections;
      if (connection)
        connection.onStream = (stream) => {
          stream.respond(responseHead(200, ['X-Size', String(bytes)]));
          stream.end('y'.repeat(bytes));
        };
      const text = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(8);
      const { socket, received } = rawSocket(test.port, text);
      await until('the ends', () => received().match(/\r\n0\r\n\r\n/g)?.length === 8);
      const bodies = received().split('HTTP/1.1 200 OK').slice(1);
      const wholeChunk = /\r\n([0-9a-f]+)\r\n(y+)(?=\r\n)/g;
      const sizeOf = (body: string) =>
        [...body.matchAll(wholeChunk)].reduce((sum, [, size = '', data = '']) => {
          expect(Number.parseInt(size, 16)).toBe(data.length);
          return sum + data.length;
        }, 0);
      expect(bodies.map(sizeOf)).toEqual(Array(8).fill(bytes));
      expect(bodies.every((body) => body.endsWith('y\r\n0\r\n\r\n'))).toBe(true);
      socket.destroy();
    },
  );

  it('of ten megabytes comes whole', async () => {
    const large = Buffer.alloc(10_000_000, 'y');
    test.origin = (_request, response) => response.end(large);
    expect((await visit()).body.length).toBe(10_000_000);
  });

  it('that is a stream of events shows its head and each event at once', async () => {
    let send = (_text: string) => {};
    test.origin = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      send = (text) => response.write(text);
    };
    const response = await begin({ port: test.port, host });
    response.setEncoding('utf8');
    expect(response.headers['content-type']).toBe('text/event-stream');
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      const next = once(response, 'data');
      send(event);
      expect(await next).toEqual([event]);
    }
    response.destroy();
  });

  it('to a long poll comes when the panel has something to say, others in between', async () => {
    const held = Promise.withResolvers<void>();
    test.origin = async (request, response) => {
      if (request.url === '/poll') await held.promise;
      response.end(request.url === '/poll' ? 'late' : 'quick');
    };
    const poll = visit({ path: '/poll' });
    for (let index = 0; index < 5; index += 1) expect((await visit()).body).toBe('quick');
    held.resolve();
    expect((await poll).body).toBe('late');
  });

  it('that is whole ends its stream in peace: a reset would cost each request a frame', async () => {
    const codes: number[] = [];
    const [connection] = test.connections;
    const serve = connection?.onStream;
    if (connection)
      connection.onStream = (stream, headers) => {
        stream.on('close', () => codes.push(stream.rstCode ?? -1));
        serve?.(stream, headers);
      };
    test.origin = async (request, response) => {
      await bodyOf(request);
      response.end(request.url === '/empty' ? '' : 'some');
    };
    for (const path of ['/', '/empty', '/']) {
      await visit({ path });
      await visit({ path, method: 'POST', body: 'abc' });
    }
    await until('all streams have closed', () => codes.length === 6);
    expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('to the next request of the same connection is its own', async () => {
    test.origin = (request, response) => response.end(`<${request.url}>`);
    const { socket, received } = rawSocket(
      test.port,
      ['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`).join(''),
    );
    await until(
      'three responses',
      () =>
        received()
          .match(/<\/\d>/g)
          ?.join() === '</1>,</2>,</3>',
    );
    socket.destroy();
  });
});

describe('the edge itself responds', () => {
  it.each([
    ['unknown.example', 404, 'unknown_host'],
    [`off.${host}`, 403, 'suspended'],
  ])('for %s with %d', async (name, status, code) => {
    const response = await visit({ host: name, headers: { accept: 'application/json' } });
    expect([response.status, JSON.parse(response.body).code]).toEqual([status, code]);
    expect((await visit({ host: name, headers: { 'accept-language': 'en' } })).body).toContain(
      '<html lang="en">',
    );
  });

  it('503 when no connector is there, and 502 when the connector cannot reach the panel', async () => {
    const [connection] = test.connections;
    if (connection)
      connection.onStream = (stream) => {
        stream.respond(responseHead(502, ['Content-Type', 'text/plain'], 'cloudflared'));
        stream.end('Unable to reach the origin service');
      };
    const headers = { accept: 'application/json' };
    const before = test.traffic.of('p1').unreachable;
    const dead = await visit({ headers });
    expect([dead.status, JSON.parse(dead.body).code]).toEqual([502, 'origin_unreachable']);
    expect(test.traffic.of('p1').unreachable - before).toBe(1);
    test.connections = [];
    const none = await visit({ headers });
    expect([none.status, JSON.parse(none.body).code, none.headers['retry-after']]).toEqual([
      503,
      'no_connector',
      '5',
    ]);
  });

  it('but passes on a 502 of the panel’s own', async () => {
    test.origin = (_request, response) => response.writeHead(502).end('mine');
    expect(await visit()).toMatchObject({ status: 502, body: 'mine' });
  });
});

it.each([
  ['both a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde'],
  ['an odd coding', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
  ['chunks that are not the last coding', 'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'],
  ['a space before the colon', 'Content-Length : 4\r\n\r\nabcd'],
  ['a folded header', 'X-A: 1\r\n Content-Length: 4\r\n\r\nabcd'],
  ['a length with a sign', 'Content-Length: +4\r\n\r\nabcd'],
  ['a chunk size that is none', 'Transfer-Encoding: chunked\r\n\r\n0x4\r\nabcd\r\n0\r\n\r\n'],
  ['two hosts', 'Host: other.example\r\nContent-Length: 0\r\n\r\n'],
  ['bare line feeds', 'X-A: 1\nTransfer-Encoding: chunked\n\n0\r\n\r\n'],
])('refuses what two servers could read in two ways: %s', async (_what, rest) => {
  let reached = 0;
  test.origin = (request, response) => {
    request.resume();
    request.on('end', () => {
      reached += 1;
      response.end('reached');
    });
  };
  const { socket, received } = rawSocket(test.port, `POST / HTTP/1.1\r\nHost: ${host}\r\n${rest}`);
  await until('the refusal', () => received().startsWith('HTTP/1.1 400'));
  expect([received().includes('reached'), reached]).toEqual([false, 0]);
  socket.destroy();
});

it('refuses a head that is too large, and serves the next visitor', async () => {
  const { received } = rawSocket(
    test.port,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`,
  );
  await until('the refusal', () => received().startsWith('HTTP/1.1 431'));
  expect((await visit()).body).toBe('origin');
});

it('counts requests, bytes both ways and responses by class', async () => {
  test.traffic.take();
  test.origin = async (request, response) => {
    await bodyOf(request);
    response.writeHead(request.url === '/404' ? 404 : 200).end('12345');
  };
  await visit({ method: 'POST', body: 'abc' });
  await visit({ path: '/404' });
  expect(test.traffic.take().get('p1')).toMatchObject({
    requests: 2,
    bytesIn: 3,
    bytesOut: 10,
    responses: [0, 1, 0, 1, 0],
    lastStatus: 404,
  });
});
