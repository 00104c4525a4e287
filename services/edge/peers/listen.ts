import { once } from 'node:events';
import {
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { listening } from '@talpa/service-kit/process/listening';
import { proxySourceHeader } from '../game-ports/connection.ts';
import type { Head, RequestStream, StreamReceiver } from '../http2/connection.ts';
import { oversizedHeader } from '../http2/header-block.ts';
import type { Fields } from '../visitors/fields.ts';
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
  mayDial: (tunnelId: string, target: string) => boolean,
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
  server.on(
    'stream',
    (stream: ServerHttp2Stream, headers: PeerHeaders, _flags: number, raw: readonly string[]) =>
      relay(stream, headers, raw, pick, mayDial),
  );
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

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;
const handshakeTimeoutMs = 5_000;

type PeerHeaders = IncomingHttpHeaders & {
  readonly [upgradeHeader]?: string;
  readonly [proxySourceHeader]?: string;
};

function relay(
  incoming: ServerHttp2Stream,
  headers: PeerHeaders,
  rawHeaders: readonly string[],
  pick: (tunnelId: string) => TunnelConnection | null,
  mayDial: (tunnelId: string, target: string) => boolean,
): void {
  incoming.on('error', () => {});
  const tunnelId = String(headers[tunnelHeader]);
  // Visitors' requests and connections to game ports alone: a captured edge must neither configure the connectors of others, nor have
  // them dial what it likes.
  const isPort = headers[proxySourceHeader] !== undefined;
  const isVisitors = isPort
    ? headers[upgradeHeader] === undefined && mayDial(tunnelId, String(headers[':authority']))
    : [undefined, 'websocket'].includes(headers[upgradeHeader]);
  const connection = isVisitors ? pick(tunnelId) : null;
  // Refused means that nothing was done: the other edge may try elsewhere.
  if (!connection) return void resetStream(incoming, NGHTTP2_REFUSED_STREAM);
  try {
    new RelayedRequest(incoming, fieldsOf(rawHeaders), connection);
  } catch {
    // It closes just now: as good as not there.
    resetStream(incoming, NGHTTP2_REFUSED_STREAM);
  }
}

/** A request's fields as they came, those that were given several times included: Node would join them. */
function fieldsOf(raw: readonly string[]): Fields {
  const fields: Fields = Object.create(null);
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name, value] = [raw[index] as string, raw[index + 1] as string];
    const before = fields[name];
    if (name !== tunnelHeader) fields[name] = before === undefined ? value : [before, value].flat();
  }
  return fields;
}

/** Passes both directions on as they come: heads, bodies, trailers, resets. */
class RelayedRequest implements StreamReceiver {
  private readonly incoming: ServerHttp2Stream;
  private readonly stream: RequestStream;
  private trailers: Head = {};

  /** @throws Error when the connection takes no more requests. */
  constructor(incoming: ServerHttp2Stream, fields: Fields, connection: TunnelConnection) {
    this.incoming = incoming;
    const stream = connection.openRequest(fields, this, { endStream: incoming.endAfterHeaders });
    this.stream = stream;
    let trailers: IncomingHttpHeaders | undefined;
    incoming.once('trailers', (given) => {
      trailers = given;
    });
    incoming.on('data', (chunk: Buffer) => {
      if (!stream.write(chunk)) incoming.pause();
    });
    incoming.on('drain', () => stream.resume());
    incoming.once('end', () => {
      if (incoming.rstCode !== NGHTTP2_NO_ERROR) return;
      try {
        stream.end(trailers);
      } catch {
        stream.reset(NGHTTP2_CANCEL);
      }
    });
    incoming.once('close', () => {
      // What has come to its end on both sides closes by itself. A reset ends our side, too: it looks finished then.
      const isWhole = stream.hasEnded && incoming.writableFinished && incoming.rstCode === NGHTTP2_NO_ERROR;
      if (!isWhole) stream.reset(incoming.rstCode || NGHTTP2_CANCEL);
    });
  }

  onResponse(head: Head): void {
    const { incoming } = this;
    if (incoming.destroyed) return;
    if (sizeOfFields(head) > maximumResponseHeaders) {
      // HTTP/2 would end the connection between the edges instead.
      incoming.respond({ ':status': 502, [oversizedHeader]: '1' }, { endStream: true });
      this.stream.reset(NGHTTP2_CANCEL);
      return;
    }
    this.pass(() => incoming.respond({ ...head }, { waitForTrailers: true }));
    incoming.once('wantTrailers', () => this.pass(() => incoming.sendTrailers({ ...this.trailers })));
  }

  /** Node throws for fields that it does not send: this request ends, and nothing else. */
  private pass(send: () => void): void {
    try {
      send();
    } catch {
      resetStream(this.incoming, NGHTTP2_INTERNAL_ERROR);
    }
  }

  onData(piece: Buffer): void {
    const { incoming } = this;
    if (!incoming.destroyed && !incoming.closed && !incoming.write(piece)) this.stream.pause();
  }

  onTrailers(trailers: Head): void {
    if (sizeOfFields(trailers) <= maximumResponseHeaders) this.trailers = trailers;
  }

  onEnd(): void {
    this.incoming.end();
  }

  onDrain(): void {
    this.incoming.resume();
  }

  onClose(): void {
    const { incoming, stream } = this;
    if (!stream.hasReceivedEnd || stream.rstCode !== NGHTTP2_NO_ERROR)
      resetStream(incoming, stream.rstCode || NGHTTP2_CANCEL);
  }
}
