import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { type Expected, exchangeField, write } from './origin.ts';
import { contentOf, piecesOf } from './plan.ts';
import { chunkOf, headBytes, lastChunk, type Message, type WireFields, WireReader } from './wire.ts';

/** What a visitor saw of an exchange. */
export interface VisitorView {
  /** 0: there was no response. */
  readonly status: number;
  readonly fields: WireFields;
  readonly trailers: WireFields;
  readonly body: Buffer;
  readonly isWhole: boolean;
  readonly fault: string | undefined;
  readonly interim: readonly number[];
  /** What came after an upgrade. */
  readonly raw: Buffer;
}

/** Where a visitor goes, and from which of this machine's addresses. */
export interface Destination {
  readonly port: number;
  readonly host: string;
  readonly from: string;
  /** Left out: without TLS. */
  readonly ca?: string;
}

/** One request that a visitor makes, with the name by which the origin knows it. */
export interface Sent extends Expected {
  readonly name: string;
}

export interface VisitOptions {
  readonly isPipelined: boolean;
  readonly isSlow: boolean;
}

const nothing: VisitorView = {
  ...{ status: 0, fields: [], trailers: [], body: Buffer.alloc(0), isWhole: false, fault: undefined },
  ...{ interim: [], raw: Buffer.alloc(0) },
};

/** Opens a connection for HTTP/1 and makes these requests on it; on another one, where the other side has closed the first. */
export async function visit(
  to: Destination,
  all: readonly Sent[],
  options: VisitOptions,
): Promise<VisitorView[]> {
  const views: VisitorView[] = [];
  while (views.length < all.length) {
    const got = await visitOnce(to, all.slice(views.length), options);
    views.push(...(got.length === 0 ? [nothing] : got));
  }
  return views;
}

function open({ port, from, ca, host }: Destination): Socket {
  const to = { port, host: '127.0.0.1', localAddress: from, noDelay: true };
  return ca ? connectTls({ ...to, ca, servername: host, ALPNProtocols: ['http/1.1'] }) : connect(to);
}

/** @returns what was seen of the first requests; of the others nothing has come. */
async function visitOnce(to: Destination, all: readonly Sent[], { isPipelined, isSlow }: VisitOptions) {
  const socket = open(to);
  const closed = new Promise<void>((done) => socket.once('close', () => done()));
  socket.on('error', () => {});
  const views: VisitorView[] = [];
  const reader = new WireReader('response');
  let [interim, raw, isContinued]: [number[], Buffer[], boolean] = [[], [], false];
  let wake = () => {};
  let current: Message | undefined;
  const viewOf = (message: Message): VisitorView => {
    const { fields, trailers, body, isWhole, fault } = message;
    const status = Number(message.first.split(' ')[1] ?? 0);
    return { status, fields, trailers, body, isWhole, fault, interim, raw: Buffer.concat(raw) };
  };
  reader.isBodiless = () => all[views.length]?.plan.request.method === 'HEAD';
  reader.onHead = (message) => {
    current = message;
  };
  reader.onRaw = (bytes) => raw.push(bytes);
  reader.onWhole = (message) => {
    const status = Number(message.first.split(' ')[1]);
    if (status === 100) isContinued = true;
    else if (status < 200) interim.push(status);
    else {
      views.push(viewOf(message));
      interim = [];
    }
    current = undefined;
    wake();
  };
  let isAtEnd = false;
  let left = false;
  socket.on('data', (bytes) => {
    reader.push(bytes);
    if (reader.message?.fault) socket.destroy();
    if (isSlow && bytes.length > 10_000) {
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    }
    wake();
  });
  socket.once('end', () => {
    isAtEnd = true;
    reader.end();
    wake();
  });
  void closed.then(() => {
    isAtEnd = true;
    wake();
  });
  const until = async (isSo: () => boolean) => {
    while (!isSo() && !isAtEnd) await new Promise<void>((done) => (wake = done));
  };
  for (const [index, sent] of all.entries()) {
    if (isAtEnd) break;
    const { plan } = sent;
    await send(socket, to.host, sent, () => until(() => isContinued || views.length > index));
    if (plan.breaks === 'visitor in the request') {
      left = true;
      await Promise.race([sent.isUnderWay.promise, closed]);
      socket.destroy();
    } else if (plan.breaks === 'visitor in the response') {
      left = true;
      await until(() => reader.bodyBytes > 0);
      await Promise.race([sent.isUnderWay.promise, closed]);
      socket.destroy();
    } else if (plan.upgrade) {
      await until(() => current?.first.includes(' 101 ') === true || views.length > index);
      if (current)
        await write(socket, contentOf(sent.key + 1, { size: plan.upgrade.toOrigin, cuts: [], pauses: [] }));
    }
    if (!isPipelined) await until(() => views.length > index);
  }
  await until(() => views.length === all.length);
  // A response that ends with its connection shows how it ends.
  if (current || left) await closed;
  socket.destroy();
  if (views.length < all.length && (current || left)) {
    const partial = reader.message ?? current;
    views.push(partial ? viewOf(partial) : nothing);
  }
  return views;
}

/** Writes a request in the pieces of its plan. */
async function send(socket: Socket, host: string, { key, plan, name }: Sent, goAhead: () => Promise<void>) {
  const { request, upgrade, breaks } = plan;
  const content = contentOf(key, request.body);
  const fields: (readonly [string, string])[] = [['Host', host], ...request.fields, [exchangeField, name]];
  if (request.framing === 'length') fields.push(['Content-Length', String(content.length)]);
  if (request.framing === 'chunked') {
    if (request.trailers.length > 0) fields.push(['Trailer', 'X-Sum']);
    fields.push(['Transfer-Encoding', 'chunked']);
  }
  if (request.expectsContinue) fields.push(['Expect', '100-continue']);
  if (upgrade)
    fields.push(
      ...([
        ['Upgrade', 'websocket'],
        ['Connection', 'Upgrade'],
        ['Sec-WebSocket-Version', '13'],
      ] as const),
      ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
    );
  await write(socket, headBytes(`${request.method} ${request.target} HTTP/${request.version}`, fields));
  if (request.expectsContinue) await goAhead();
  for (const { piece, pause } of piecesOf(content, request.body)) {
    await write(socket, request.framing === 'chunked' ? chunkOf(piece) : piece);
    if (breaks === 'visitor in the request') return;
    if (pause > 0) await sleep(pause);
  }
  if (request.framing === 'chunked') await write(socket, lastChunk(request.trailers));
}
