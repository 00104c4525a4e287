import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { contentOf, type Plan, piecesOf } from './plan.ts';
import { chunkOf, headBytes, lastChunk, type Message, type WireFields, WireReader } from './wire.ts';

/** Names the exchange to the origin; on the wire in both directions, and no part of what is compared. */
export const exchangeField = 'X-Exchange';

/** What an origin saw of an exchange. */
export interface OriginView {
  readonly method: string;
  readonly target: string;
  readonly fields: WireFields;
  readonly trailers: WireFields;
  readonly body: Buffer;
  /** The request came whole. */
  readonly isWhole: boolean;
  readonly fault: string | undefined;
  /** What came after an upgrade. */
  readonly raw: Buffer;
}

/** An exchange that the origin is to take part in. */
export interface Expected {
  readonly key: number;
  readonly plan: Plan;
  /** Resolves when bytes of the body have come, or when the origin waits for the visitor to leave. */
  readonly isUnderWay: PromiseWithResolvers<void>;
  /** Resolves when nothing more of it comes. */
  readonly seen: PromiseWithResolvers<OriginView>;
}

const acceptOf = (key: string) =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

export const write = (socket: Socket, bytes: Buffer) =>
  new Promise<void>((done) =>
    socket.writable && bytes.length > 0 ? socket.write(bytes, () => done()) : done(),
  );

/** Starts an origin that does what the exchanges say, byte by byte. */
export async function startOrigin() {
  const expected = new Map<string, Expected>();
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true, allowHalfOpen: false }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    serve(socket, (name) => expected.get(name));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** @param name what the exchange's field says. */
    expect: (name: string, key: number, plan: Plan): Expected => {
      const entry = {
        key,
        plan,
        isUnderWay: Promise.withResolvers<void>(),
        seen: Promise.withResolvers<OriginView>(),
      };
      expected.set(name, entry);
      return entry;
    },
    forget: (name: string) => expected.delete(name),
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function serve(socket: Socket, find: (name: string) => Expected | undefined): void {
  const reader = new WireReader('request');
  let current: Expected | undefined;
  let raw: Buffer[] = [];
  const viewOf = (message: Message): OriginView => {
    const [method = '', target = ''] = message.first.split(' ');
    const { trailers, isWhole, fault } = message;
    const fields = message.fields.filter(([name]) => name.toLowerCase() !== exchangeField.toLowerCase());
    return { method, target, fields, trailers, body: message.body, isWhole, fault, raw: Buffer.concat(raw) };
  };
  let last: Message | undefined;
  reader.onHead = (message) => {
    last = message;
    current = find(message.fields.find(([name]) => name.toLowerCase() === 'x-exchange')?.[1] ?? '');
    if (!current) return void socket.destroy();
    if (message.fields.some(([name]) => name.toLowerCase() === 'expect'))
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  };
  reader.onWhole = (message) => {
    const entry = current;
    if (!entry) return;
    const { plan } = entry;
    if (plan.upgrade && plan.response.status === 101) {
      reader.switchToRaw();
      reader.onRaw = (bytes) => {
        raw.push(bytes);
        const got = raw.reduce((sum, { length }) => sum + length, 0);
        if (got >= (plan.upgrade?.toOrigin ?? 0)) socket.end();
      };
      void agree(socket, entry, message);
      return;
    }
    raw = [];
    if (plan.breaks !== 'visitor in the response') entry.seen.resolve(viewOf(message));
    void respond(
      socket,
      entry,
      () => plan.breaks === 'visitor in the response' && entry.isUnderWay.resolve(),
    );
  };
  socket.on('data', (bytes) => {
    reader.push(bytes);
    if (reader.bodyBytes > 0) current?.isUnderWay.resolve();
    if (reader.message?.fault) {
      current?.seen.resolve(viewOf(reader.message));
      socket.destroy();
    }
  });
  socket.once('end', () => reader.end());
  socket.once('close', () => {
    reader.end();
    const message = reader.message ?? last;
    if (message) current?.seen.resolve(viewOf(message));
  });
}

async function agree(socket: Socket, { key, plan }: Expected, request: Message): Promise<void> {
  const keyOf = request.fields.find(([name]) => name.toLowerCase() === 'sec-websocket-key')?.[1] ?? '';
  const fields: WireFields = [
    ...plan.response.fields.filter(([name]) => !/^(content-encoding|keep-alive|trailer)$/i.test(name)),
    ...([
      ['Upgrade', 'websocket'],
      ['Connection', 'Upgrade'],
    ] as const),
    ['Sec-WebSocket-Accept', acceptOf(keyOf)],
  ];
  const { toVisitor = 0, toOrigin = 0 } = plan.upgrade ?? {};
  await write(socket, headBytes('HTTP/1.1 101 Switching Protocols', fields));
  await write(socket, contentOf(key, { size: toVisitor, cuts: [], pauses: [] }));
  if (toOrigin === 0) socket.end();
}

/** @param holds called when the origin has sent a part and waits for the visitor to leave. */
async function respond(socket: Socket, { key, plan }: Expected, holds: () => void): Promise<void> {
  const { request, response, breaks } = plan;
  if (breaks === 'origin before the head') return void socket.destroy();
  const { status, version, framing } = response;
  const content = contentOf(key, response.body, response.isZipped);
  const isBodiless = request.method === 'HEAD' || status === 204 || status === 304;
  const fields = [...response.fields];
  if (framing === 'length')
    fields.splice(key % (fields.length + 1), 0, ['Content-Length', String(content.length)]);
  if (framing === 'chunked') fields.push(['Transfer-Encoding', 'chunked']);
  const closes = response.closes || breaks !== null;
  if (closes) fields.push(['Connection', 'close']);
  for (const interim of response.interim)
    await write(socket, headBytes(`HTTP/1.1 ${interim} Early`, [['Link', '</a.css>; rel=preload']]));
  const head = headBytes(`HTTP/${version} ${status} Some Reason`, fields);
  if (isBodiless) {
    await write(socket, head);
  } else {
    // A head that stands alone arrives at another time than one with the first piece.
    const pieces = piecesOf(content, response.body);
    if (key % 2 === 0) await write(socket, head);
    let before = key % 2 === 0 ? Buffer.alloc(0) : head;
    for (const [index, { piece, pause }] of pieces.entries()) {
      const framed = framing === 'chunked' ? chunkOf(piece) : piece;
      const isLast = index === pieces.length - 1 && framing === 'chunked' && pause === 0;
      const bytes = Buffer.concat([
        before,
        framed,
        ...(isLast && !breaks ? [lastChunk(response.trailers)] : []),
      ]);
      before = Buffer.alloc(0);
      await write(socket, bytes);
      if (breaks === 'origin in the body') return void socket.resetAndDestroy();
      if (breaks === 'visitor in the response') return holds();
      if (isLast) return closes ? void socket.end() : undefined;
      if (pause > 0) await sleep(pause);
    }
    await write(
      socket,
      Buffer.concat([before, framing === 'chunked' ? lastChunk(response.trailers) : Buffer.alloc(0)]),
    );
  }
  if (closes) socket.end();
}
