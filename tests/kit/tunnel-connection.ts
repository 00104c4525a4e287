import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import {
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Http2Connection } from '../../services/edge/http2/connection.ts';
import type { TunnelConnection } from '../../services/edge/visitors/ports.ts';
import { asksForGzip, targetAsGo, unpackAsGo } from './connector/as-go.ts';

/** What a connector does with a stream the edge opens. */
export type OnStream = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  /** The same as they came: names and values in turn. */
  rawHeaders?: readonly string[],
) => void;

/** One connection between edge and connector, without the registration before it. */
export interface TestConnection {
  readonly edge: Http2Connection;
  readonly connector: ServerHttp2Session;
  /** The connector's socket. */
  readonly socket: Socket;
  /** Changes what the connector does. */
  onStream: OnStream;
  openRequest: TunnelConnection['openRequest'];
}

/** Connects a connector and the edge's end over a real socket, with HTTP/2's roles reversed. */
export async function connectPair(onStream: OnStream, windowSize = 1_048_576): Promise<TestConnection> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connectTcp((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  server.close();
  socket.setNoDelay(true);
  accepted.setNoDelay(true);
  // Not the socket itself: a test may write frames of its own between the session's.
  const connector = performServerHandshake(Duplex.from({ readable: socket, writable: socket }), {
    settings: { initialWindowSize: windowSize },
  });
  const edge = new Http2Connection(accepted);
  connector.on('error', () => {});
  connector.on('connect', () => connector.setLocalWindowSize(16 * windowSize));
  const connection: TestConnection = {
    edge,
    connector,
    socket,
    onStream,
    openRequest: (fields, receiver, options) => edge.request(fields, receiver, options),
  };
  connector.on('stream', (stream, headers, _flags, rawHeaders) => {
    stream.on('error', () => {});
    connection.onStream(stream, headers, rawHeaders);
  });
  return connection;
}

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64').replace(/=+$/, '');

/** An origin's headers as the connector sends them: `base64(name):base64(value);…`. */
export function serialize(rawHeaders: readonly string[]): string {
  const pairs: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2)
    pairs.push(`${base64(rawHeaders[index] ?? '')}:${base64(rawHeaders[index + 1] ?? '')}`);
  return pairs.join(';');
}

/** The head of a response as the connector sends it. */
export function responseHead(status: number, rawHeaders: readonly string[], source = 'origin') {
  const length = rawHeaders.findIndex((text, index) => index % 2 === 0 && /^content-length$/i.test(text));
  return {
    ':status': status,
    ...(length >= 0 ? { 'content-length': rawHeaders[length + 1] } : {}),
    'cf-cloudflared-response-headers': serialize(rawHeaders),
    'cf-cloudflared-response-meta': JSON.stringify({ src: source }),
  };
}

const pairsOf = (headers: IncomingHttpHeaders) =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? ''].flat().flatMap((one) => [name, one]));

/** The fields of a request as the origin gets them: names and values in turn. */
function originFields(
  headers: IncomingHttpHeaders,
  raw: readonly string[],
  added: readonly string[],
): string[] {
  const fields = raw.filter((_, index) => !/^(:|cf-cloudflared-)/.test(raw[index - (index % 2)] ?? ''));
  return ['host', String(headers[':authority']), ...fields, ...added];
}

/** Does what the connector does: asks the origin on that port and passes its response on, and carries TCP. */
export function proxyTo(port: number, isSecure = false): OnStream {
  const ask = isSecure ? httpsRequest : httpRequest;
  return (stream, headers, rawHeaders = pairsOf(headers)) => {
    if (headers['cf-cloudflared-proxy-src']) return carryTcp(stream, String(headers[':authority']));
    const isWebSocket = headers['cf-cloudflared-proxy-connection-upgrade'] === 'websocket';
    const path = targetAsGo(String(headers[':path']));
    if (path === null) return stream.close(1);
    const added = isWebSocket ? ['connection', 'Upgrade', 'upgrade', 'websocket'] : [];
    if (!isWebSocket && !stream.endAfterHeaders && headers['content-length'] === undefined)
      added.push('transfer-encoding', 'chunked');
    const isUnpacked = asksForGzip(headers);
    if (isUnpacked) added.push('accept-encoding', 'gzip');
    const request = ask({
      port,
      rejectUnauthorized: false,
      host: '127.0.0.1',
      method: headers[':method'],
      path,
      headers: originFields(headers, rawHeaders, added),
      setHost: false,
      agent: false,
    });
    request.on('error', () => {
      if (!stream.headersSent && !stream.destroyed) {
        stream.respond(responseHead(502, ['Content-Type', 'text/plain'], 'cloudflared'));
        stream.end('Unable to reach the origin service');
      } else stream.close(2);
    });
    stream.on('close', () => request.destroy());
    request.on('response', (response) => passResponse(stream, response, isUnpacked));
    request.on('upgrade', (response, socket, head) => {
      stream.respond(responseHead(200, response.rawHeaders));
      if (head.length > 0) stream.write(head);
      stream.pipe(socket).pipe(stream);
      socket.on('error', () => stream.close(2));
      stream.on('close', () => socket.destroy());
    });
    stream.on('trailers', (trailers) =>
      request.addTrailers(Object.fromEntries(Object.entries(trailers).map(([k, v]) => [k, String(v)]))),
    );
    if (isWebSocket) request.end();
    else stream.pipe(request);
  };
}

function passResponse(stream: ServerHttp2Stream, response: IncomingMessage, isUnpacked: boolean): void {
  const { rawHeaders, body } = isUnpacked
    ? unpackAsGo(response)
    : { rawHeaders: response.rawHeaders, body: response };
  stream.respond(responseHead(response.statusCode ?? 0, rawHeaders), { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(Object.fromEntries(Object.entries(response.trailers))));
  body.pipe(stream);
  response.on('aborted', () => stream.close(2));
  response.on('error', () => stream.close(2));
}

/**
 * Carries TCP as the connector does: it dials addresses and no names, and ends both directions as soon as one has ended.
 * @param target address and port
 */
export function carryTcp(stream: ServerHttp2Stream, target: string): void {
  const [, six, four, port] = target.match(/^(?:\[([0-9a-f:.]+)\]|([\d.]+)):(\d+)$/i) ?? [];
  const refuse = () => {
    if (stream.destroyed) return;
    stream.respond(responseHead(502, [], 'cloudflared'));
    stream.end();
  };
  const host = six ?? four;
  if (!host) return void refuse();
  const socket = connectTcp({ host, port: Number(port), noDelay: true });
  stream.once('close', () => socket.destroy());
  socket.on('error', () => (stream.headersSent ? end() : refuse()));
  const end = () => {
    socket.destroySoon();
    if (!stream.destroyed) stream.end(() => stream.close());
  };
  socket.once('connect', () => {
    if (stream.destroyed) return void socket.destroy();
    stream.respond({ ':status': 200 });
    stream.pipe(socket, { end: false });
    socket.pipe(stream, { end: false });
    stream.once('end', end);
    socket.once('end', end);
  });
}
