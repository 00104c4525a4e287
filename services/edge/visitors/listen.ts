import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { type ConnectionLimit, createConnectionLimit } from '@talpa/service-kit/connection-limit';
import { trackTurn } from '@talpa/service-kit/pipelining';
import { listenOn } from '@talpa/service-kit/process/listen-on';
import { listening } from '@talpa/service-kit/process/listening';
import { edgeMeter } from '../metrics.ts';
import { divertChallenges } from './acme-tls.ts';
import type { CertificateSource } from './certificate-files.ts';
import {
  type AllowanceOf,
  countedMessages,
  createAllowances,
  mayBegin,
  owesTooMuch,
  watchSession,
} from './floods.ts';
import type { createHandlers } from './handler.ts';
import { errorPage } from './pages/page.ts';
import { newRequestId } from './parse-request.ts';
import { cutSession, keepSocket } from './reset.ts';
import { isExtendedConnect, wantsWebSocket } from './websocket.ts';

export type Handlers = ReturnType<typeof createHandlers>;

/** A port on which visitors are accepted. */
export interface VisitorListener {
  readonly port: number;
  /** How many are open. */
  sockets(): number;
  /** Takes no new connections. One that is open may make the request it was opened for, and no other. */
  close(): void;
  /** Resolves after `close`, when no connection is open any more. */
  readonly closed: Promise<void>;
  /** Cuts what is still open. */
  destroy(): void;
}

const options = {
  // A request's head must come at once; its body may take as long as it moves.
  headersTimeout: 15_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 32_768,
  noDelay: true,
  shouldUpgradeCallback: wantsWebSocket,
} as const;
const refusedHeadMs = 1_000;
const idleSessionMs = 120_000;
const watchMs = 250;
/** What one browser may have under way to us, so that an upload fills a long line. */
const sessionWindow = 8_388_608;

/** Where to listen, and how many connections one address may have there. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly connections: ConnectionLimit;
}

/** Listens for HTTP/1.1 without TLS: behind a load balancer, or on one machine. */
export async function listenHttp(handlers: Handlers, address: ListenAddress): Promise<VisitorListener> {
  const allowanceOf = createAllowances(address.connections.isProxy);
  const server = createServer({ ...options, IncomingMessage: countedMessages(allowanceOf) });
  attach(server, handlers);
  return open('EDGE_HTTP_PORT', server, address, allowanceOf);
}

/**
 * Listens for HTTPS: HTTP/2, and HTTP/1.1 for those who do not speak it.
 * @param handshakeTimeout in ms
 */
export async function listenHttps(
  handlers: Handlers,
  address: ListenAddress,
  certificate: CertificateSource,
  handshakeTimeout: number = options.headersTimeout,
): Promise<VisitorListener> {
  const allowanceOf = createAllowances(address.connections.isProxy);
  const server = createSecureServer({
    ...options,
    Http1IncomingMessage: countedMessages(allowanceOf),
    ...certificate.options,
    allowHTTP1: true,
    handshakeTimeout,
    maxSessionMemory: 64,
    // Of requests that are cancelled, which cost us more than their visitor.
    streamResetBurst: 300,
    streamResetRate: 100,
    // Origins repeat fields that should stand once; browsers read them, over HTTP/1.1 too.
    strictSingleValueFields: false,
    settings: { enableConnectProtocol: true, maxConcurrentStreams: 200, initialWindowSize: 1_048_576 },
  });
  // Nothing is written before the handshake is over: should it end late after all, Node aborts when HTTP/2 writes, too.
  server.prependListener('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== 'ECONNRESET') edgeMeter.malformed();
    socket.destroy();
  });
  // Node replaces the option of this name where HTTP/2 is served.
  Object.assign(server, { shouldUpgradeCallback: wantsWebSocket });
  attach(server, handlers);
  const [serve] = server.listeners('stream') as ((stream: ServerHttp2Stream, ...more: unknown[]) => void)[];
  server.removeAllListeners('stream').on('stream', (stream, ...more) => {
    if (mayBegin(stream, allowanceOf)) serve?.call(server, stream, ...more);
  });
  if (certificate.showChallenge) divertChallenges(server, certificate.showChallenge);
  const sessions = new Map<Http2Session, () => void>();
  const timer = setInterval(() => {
    for (const check of sessions.values()) check();
  }, watchMs).unref();
  server.on('session', (session) => {
    keepSocket(session);
    sessions.set(session, watchSession(session, allowanceOf));
    session.setLocalWindowSize(sessionWindow);
    session.once('close', () => sessions.delete(session));
    // Says goodbye; streams that lie still go on until the exchange's own limit.
    session.setTimeout(idleSessionMs, () => session.close());
    session.on('error', () => {});
    if (!server.listening) session.close();
  });
  server.on('connect', (request, response) => {
    if (isExtendedConnect(request)) handlers.connect(request, response);
    else response.writeHead(405).end();
  });
  const unfollow = certificate.follow((changed) => server.setSecureContext(changed));
  const listener = await open('EDGE_HTTPS_PORT', server, address, allowanceOf);
  return {
    port: listener.port,
    sockets: listener.sockets,
    closed: listener.closed,
    close: () => {
      unfollow();
      listener.close();
      for (const session of sessions.keys()) session.close();
    },
    destroy: () => {
      clearInterval(timer);
      for (const session of sessions.keys()) cutSession(session);
      listener.destroy();
    },
  };
}

/** The two servers emit the same events, whatever the protocol. */
function attach(server: NetServer, handlers: Handlers): void {
  const inTurn = (serve: Handlers['request']) => (request: IncomingMessage, response: ServerResponse) => {
    if (response instanceof ServerResponse) trackTurn(request, response);
    serve(request, response);
  };
  server.on('request', inTurn(handlers.request));
  server.on('checkContinue', inTurn(handlers.expectant));
  server.on('upgrade', (request: IncomingMessage, _socket: Socket, head: Buffer) =>
    handlers.upgrade(request, head),
  );
  server.on('clientError', refuse);
}

const refusals: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What is not HTTP, or HTTP that two servers could read in two ways. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: begun } = socket as { _httpMessage?: ServerResponse };
  // Nothing may stand in the middle of a response.
  if (error.code === 'ECONNRESET' || !socket.writable || begun?.headersSent) return void socket.destroy();
  edgeMeter.malformed();
  if (error.code === 'HPE_HEADER_OVERFLOW') return void refuseHead(socket);
  const status = refusals[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

/** A head that was not even read: the page comes in the language of those who ask for none. */
function refuseHead(socket: Socket): void {
  edgeMeter.limited('head');
  const wish = { accept: undefined, language: undefined, requestId: newRequestId() };
  const { fields, body } = errorPage('request_head_too_large', {}, wish);
  const lines = ['HTTP/1.1 431 Request Header Fields Too Large', 'connection: close'];
  for (let index = 0; index < fields.length; index += 2) lines.push(`${fields[index]}: ${fields[index + 1]}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  // What is still coming is read for a moment: a reset would take the page away from the visitor.
  socket.end(body);
  setTimeout(() => socket.destroy(), refusedHeadMs).unref();
}

async function open(
  setting: string,
  server: HttpServer | Http2SecureServer,
  { host, port, connections }: ListenAddress,
  allowanceOf: AllowanceOf,
): Promise<VisitorListener> {
  const sockets = new Set<Socket>();
  const isWithinLimit = createConnectionLimit(connections);
  server.on('connection', (socket: Socket) => {
    const isCounted = isWithinLimit(socket);
    if (!isCounted || owesTooMuch(allowanceOf(socket))) {
      edgeMeter.limited(isCounted ? 'flood' : 'connections');
      return void socket.destroy();
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let closing = false;
  server.prependListener('request', (_request, response) => {
    // The next request of a connection that is kept alive goes to another edge.
    if (closing && 'shouldKeepAlive' in response) response.shouldKeepAlive = false;
  });
  const address = { host, port };
  await listening(setting, address, () => once(server.listen(listenOn(setting, address)), 'listening'));
  return {
    port: (server.address() as AddressInfo).port,
    sockets: () => sockets.size,
    closed: new Promise((done) => server.once('close', done)),
    close: () => {
      closing = true;
      server.close();
      if ('closeIdleConnections' in server) server.closeIdleConnections();
    },
    destroy: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
