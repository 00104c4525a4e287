import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import type { RegisterResponse } from '../../../services/edge/connectors/protocol/registration.ts';
import { type OnStream, proxyTo } from '../tunnel-connection.ts';
import { RpcClient } from './rpc-client.ts';

const upgradeHeader = 'cf-cloudflared-proxy-connection-upgrade';

/** What a connector is started with. */
export interface ConnectorOptions {
  /** Where the edge listens for connectors. */
  readonly port: number;
  /** The authority's certificate as PEM. */
  readonly ca: string;
  /** As the API gives it. */
  readonly token: string;
  /** What it does with requests. */
  readonly onStream: OnStream;
  /** Names the connector's process. */
  readonly connectorId?: string;
  /** Asks to take the place of a connection of its own. */
  readonly replaceExisting?: boolean;
}

/** Its secret and tunnel out of a token. */
export function readToken(token: string) {
  const { t, s } = JSON.parse(Buffer.from(token, 'base64').toString()) as { t: string; s: string };
  return { tunnelId: t, secret: Buffer.from(s, 'base64') };
}

/** Opens a TLS connection to an edge as cloudflared does: a fixed name, no ALPN. */
export async function dialEdge(port: number, ca: string): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, servername: 'h2.cftunnel.com', ca });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

/** One connection of a connector: it serves HTTP/2 on the socket that it has opened itself. */
export class ConnectorLink {
  readonly socket: TLSSocket;
  readonly session: ServerHttp2Session;
  /** The stream the edge opens for the registration. */
  readonly control: Promise<ServerHttp2Stream>;
  /** Resolves when the edge has ended the connection. */
  readonly closed: Promise<unknown>;
  /** Every configuration that was pushed, in order. */
  readonly configurations: { version: number; config: unknown }[] = [];
  private rpc: RpcClient | undefined;

  /** How often it was given a configuration. */
  asked = 0;

  /** @param onConfiguration responses instead of taking a configuration over; `turn` counts from 1. */
  constructor(
    socket: TLSSocket,
    onStream: OnStream,
    onConfiguration?: (stream: ServerHttp2Stream, turn: number) => void,
  ) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    this.session = performServerHandshake(socket);
    this.session.on('error', () => {});
    const { promise, resolve } = Promise.withResolvers<ServerHttp2Stream>();
    this.control = promise;
    this.session.on('stream', (stream, headers, _flags, rawHeaders) => {
      stream.on('error', () => {});
      if (headers[upgradeHeader] === 'control-stream') resolve(stream);
      else if (headers[upgradeHeader] === 'update-configuration') {
        this.asked += 1;
        if (onConfiguration) onConfiguration(stream, this.asked);
        else void this.takeConfiguration(stream);
      } else onStream(stream, headers, rawHeaders);
    });
  }

  /** Registers, as connection `index` of that connector. */
  async register(
    token: string,
    connectorId: string,
    index: number,
    replaceExisting = false,
  ): Promise<RegisterResponse> {
    const stream = await this.control;
    if (!stream.headersSent) stream.respond({ ':status': 200 });
    this.rpc ??= new RpcClient(stream);
    return this.rpc.register({
      ...readToken(token),
      connectorId,
      index,
      version: '2026.8.2',
      arch: 'linux_amd64',
      features: ['allow_remote_config', 'serialized_headers'],
      replaceExisting,
    });
  }

  /** Says good-bye as cloudflared does on SIGTERM. */
  async unregister(): Promise<void> {
    await this.rpc?.unregister();
  }

  private async takeConfiguration(stream: ServerHttp2Stream): Promise<void> {
    let text = '';
    for await (const piece of stream.setEncoding('utf8')) text += piece;
    const pushed = JSON.parse(text) as { version: number; config: unknown };
    const current = this.configurations.at(-1)?.version ?? -1;
    if (pushed.version > current) this.configurations.push(pushed);
    stream.respond({ ':status': 200 });
    stream.end(JSON.stringify({ lastAppliedVersion: Math.max(current, pushed.version), err: null }));
  }
}

/** Opens one connection and registers it. */
export async function connectLink(options: ConnectorOptions, index = 0) {
  const link = new ConnectorLink(await dialEdge(options.port, options.ca), options.onStream);
  const { token, connectorId = randomUUID(), replaceExisting } = options;
  const response = await link.register(token, connectorId, index, replaceExisting);
  return { link, response };
}

/** A connector with four connections, like the real one with the edge's address given four times. */
export async function startTestConnector(options: ConnectorOptions) {
  const connectorId = options.connectorId ?? randomUUID();
  const links: ConnectorLink[] = [];
  for (let index = 0; index < 4; index += 1) {
    const { link, response } = await connectLink({ ...options, connectorId }, index);
    if ('cause' in response) throw new Error(`refused: ${response.cause}`);
    links.push(link);
  }
  return {
    connectorId,
    links,
    stop: async () => {
      await Promise.all(links.map((link) => link.unregister()));
      await Promise.all(links.map((link) => link.closed));
    },
    kill: () => {
      for (const { socket } of links) socket.destroy();
    },
  };
}

export { proxyTo };
