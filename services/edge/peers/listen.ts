import { once } from 'node:events';
import {
  type ClientHttp2Stream,
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { listening } from '@talpa/service-kit/process/listening';
import { oversizedHeader } from '../connectors/header-limiter.ts';
import { maximumResponseHeaders, sizeOfFields } from '../visitors/header-size.ts';
import type { TunnelConnection } from '../visitors/ports.ts';
import { resetStream } from '../visitors/reset.ts';
import { upgradeHeader } from '../visitors/websocket.ts';
import { peerSettings, tunnelHeader } from './protocol.ts';
import { serverTrust } from './trust.ts';

export interface PeerListener {
  readonly port: number;
  /** Takes nothing new, and resolves when what runs has ended, or after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>;
}

/**
 * Takes requests that visitors brought to other edges and passes them to connections held here. It never
 * passes them to a third edge, so that they cannot go round.
 */
export async function listenForPeers(
  host: string,
  port: number,
  secret: string,
  pick: (tunnelId: string) => TunnelConnection | null,
): Promise<PeerListener> {
  const server = createSecureServer({
    ...serverTrust(secret),
    settings: peerSettings,
    handshakeTimeout: handshakeTimeoutMs,
    maxSessionMemory: 256,
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {});
    session.once('close', () => sessions.delete(session));
    session.setLocalWindowSize(16 * peerSettings.initialWindowSize);
  });
  server.on('stream', (stream, headers) => relay(stream, headers, pick));
  await listening('EDGE_PEER_PORT', { host, port }, () => once(server.listen(port, host), 'listening'));
  return {
    port: (server.address() as AddressInfo).port,
    close: async (deadlineMs) => {
      server.close();
      const closed = [...sessions].map((session) => once(session, 'close'));
      for (const session of sessions) session.close();
      const timer = setTimeout(() => {
        for (const session of sessions) session.destroy();
      }, deadlineMs);
      await Promise.allSettled(closed);
      clearTimeout(timer);
    },
  };
}

const { NGHTTP2_REFUSED_STREAM } = constants;
const handshakeTimeoutMs = 5_000;

type PeerHeaders = IncomingHttpHeaders & { readonly [upgradeHeader]?: string };

function relay(
  incoming: ServerHttp2Stream,
  { [tunnelHeader]: tunnelId, ...headers }: PeerHeaders,
  pick: (tunnelId: string) => TunnelConnection | null,
): void {
  incoming.on('error', () => {});
  // Visitors' requests alone: a captured edge must not configure the connectors of others.
  const isVisitors = [undefined, 'websocket'].includes(headers[upgradeHeader]);
  const connection = isVisitors ? pick(String(tunnelId)) : null;
  let stream: ClientHttp2Stream | undefined;
  try {
    stream = connection?.openRequest(headers, {
      endStream: incoming.endAfterHeaders,
      ...(headers.trailer === undefined ? {} : { waitForTrailers: true }),
    });
  } catch {
    // It closes just now: as good as not there.
  }
  // Refused means that nothing was done: the other edge may try elsewhere.
  if (!stream) resetStream(incoming, NGHTTP2_REFUSED_STREAM);
  else joinRequest(incoming, stream);
}

/** Passes both directions on as they come: heads, bodies, trailers, resets. */
function joinRequest(incoming: ServerHttp2Stream, stream: ClientHttp2Stream): void {
  let requestTrailers: IncomingHttpHeaders = {};
  let responseTrailers: IncomingHttpHeaders = {};
  stream.on('error', () => {});
  incoming.once('trailers', (trailers) => {
    requestTrailers = trailers;
  });
  stream.once('wantTrailers', () => stream.sendTrailers(requestTrailers));
  stream.once('response', ({ ...headers }) => {
    if (incoming.destroyed) return;
    if (sizeOfFields(headers) > maximumResponseHeaders) {
      // HTTP/2 would end the connection between the edges instead.
      incoming.respond({ ':status': 502, [oversizedHeader]: '1' }, { endStream: true });
      return void resetStream(stream, constants.NGHTTP2_CANCEL);
    }
    incoming.respond(headers, { waitForTrailers: true });
    incoming.once('wantTrailers', () => incoming.sendTrailers(responseTrailers));
    // Not before: the body may come in the same turn, and would be written without the head.
    pass(stream, incoming);
  });
  stream.once('trailers', (trailers) => {
    responseTrailers = sizeOfFields(trailers) > maximumResponseHeaders ? {} : trailers;
  });
  pass(incoming, stream);
  incoming.once('close', () => resetStream(stream, incoming.rstCode));
  stream.once('close', () => {
    if (!stream.readableEnded || stream.rstCode !== 0)
      resetStream(incoming, stream.rstCode || constants.NGHTTP2_CANCEL);
  });
}

type Http2End = ServerHttp2Stream | ClientHttp2Stream;

function pass(from: Http2End, to: Http2End): void {
  from.on('data', (chunk: Buffer) => {
    if (!to.destroyed && !to.closed && !to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.once('end', () => {
    if (from.rstCode === 0) to.end();
  });
}
