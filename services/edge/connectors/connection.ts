import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import type { RemoteConfiguration } from './configuration.ts';
import { HeaderLimitedSocket } from './header-limited-socket.ts';
import type { RegisterRequest } from './protocol/registration.ts';
import { readResponse } from './read-response.ts';
import type { EdgeConnection } from './registry.ts';

const upgradeHeader = 'cf-cloudflared-proxy-connection-upgrade';
/** A connector has so long to take over a configuration. */
const configurationTimeoutMs = 10_000;
const windowSize = 1_048_576;
/** What has been written is on its way by then. */
const endMs = 500;

/**
 * The HTTP/2 session on a connector's socket: here the side that was dialed sends the requests. The connector's heads use
 * no table of HPACK, so that one of them can be taken out.
 */
export function openSession(socket: Duplex): ClientHttp2Session {
  const session = connect('https://edge', {
    createConnection: () => new HeaderLimitedSocket(socket),
    settings: {
      enablePush: false,
      headerTableSize: 0,
      initialWindowSize: windowSize,
      maxHeaderListSize: 131_072,
    },
    maxSessionMemory: 64,
  });
  // A connector may be gone again by then.
  session.on('connect', () => session.destroyed || session.setLocalWindowSize(16 * windowSize));
  return session;
}

/** Opens the stream on which the connector registers. */
export function openControlStream(session: ClientHttp2Session): ClientHttp2Stream {
  return session.request(
    { ':method': 'GET', ':path': '/', [upgradeHeader]: 'control-stream' },
    { endStream: false },
  );
}

/** A registered connection of a connector, which carries requests. */
export class ConnectorConnection implements EdgeConnection {
  readonly id: string;
  readonly tunnelId: string;
  readonly connectorId: string;
  readonly index: number;
  private leaving = false;
  openStreams = 0;
  /** The version of the configuration the connector works with. */
  configVersion = -1;
  private readonly session: ClientHttp2Session;
  private liveness: Promise<boolean> | null = null;
  private isPushing = false;
  private next: RemoteConfiguration | null = null;
  private leaveTimer: NodeJS.Timeout | undefined;

  constructor(id: string, request: RegisterRequest, session: ClientHttp2Session) {
    this.id = id;
    this.tunnelId = request.tunnelId;
    this.connectorId = request.connectorId;
    this.index = request.index;
    this.session = session;
    session.once('close', () => clearTimeout(this.leaveTimer));
  }

  get closed(): boolean {
    return this.session.closed || this.session.destroyed;
  }

  /** It says good-bye itself, or its connection closes. */
  get draining(): boolean {
    return this.leaving || this.closed;
  }

  openRequest(
    headers: OutgoingHttpHeaders,
    options: { readonly endStream: boolean; readonly waitForTrailers?: boolean },
  ): ClientHttp2Stream {
    if (this.draining) throw new Error('the connection takes no more requests');
    const stream = this.session.request(headers, options);
    this.openStreams += 1;
    stream.once('close', () => {
      this.openStreams -= 1;
      if (this.leaving && this.openStreams === 0) this.end();
    });
    return stream;
  }

  /** With an error, or half a response would pass for a whole one. */
  destroy(): void {
    this.session.destroy(new Error('the connection was cut'));
  }

  /** Takes nothing new, lets what runs finish within `deadlineMs` (null: however long it takes), then closes. */
  drain(deadlineMs: number | null): void {
    if (this.leaving) return;
    this.leaving = true;
    if (deadlineMs !== null) this.leaveTimer = setTimeout(() => this.destroy(), deadlineMs);
    if (this.openStreams === 0) this.end();
  }

  /** The control stream would keep the session open: its last response is sent before the socket goes. */
  private end(): void {
    clearTimeout(this.leaveTimer);
    this.session.close();
    this.leaveTimer = setTimeout(() => this.destroy(), endMs);
  }

  /** Whether the other side responds to a ping within `deadlineMs`; callers meanwhile share that ping. */
  isAlive(deadlineMs: number): Promise<boolean> {
    this.liveness ??= this.ping(deadlineMs).finally(() => {
      this.liveness = null;
    });
    return this.liveness;
  }

  private async ping(deadlineMs: number): Promise<boolean> {
    if (this.closed) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), deadlineMs);
    const giveUp = () => resolve(false);
    this.session.once('close', giveUp);
    if (!this.session.ping((error) => resolve(error === null))) resolve(false);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.session.off('close', giveUp);
    }
  }

  /**
   * Sends a configuration, if it is a higher version; one after another, the newest of those that wait.
   * @returns the version the connector works with from now on; null when nothing was sent or it refused.
   */
  async configure(configuration: RemoteConfiguration): Promise<number | null> {
    if (configuration.version <= this.configVersion || this.draining) return null;
    if (!this.next || this.next.version < configuration.version) this.next = configuration;
    if (this.isPushing) return null;
    this.isPushing = true;
    try {
      while (this.next) {
        const { version, config } = this.next;
        this.next = null;
        await this.push(JSON.stringify({ version, config }));
        this.configVersion = version;
      }
      return this.configVersion;
    } finally {
      this.isPushing = false;
    }
  }

  /** @throws Error when the connector refuses it or does not respond. */
  private async push(body: string): Promise<void> {
    const stream = this.session.request({
      ':method': 'PUT',
      ':path': '/',
      [upgradeHeader]: 'update-configuration',
    });
    // Errors are reported where the response is read; later ones do not matter.
    stream.on('error', () => {});
    const timer = setTimeout(
      () => stream.destroy(new Error('it does not take its configuration')),
      configurationTimeoutMs,
    );
    stream.once('close', () => clearTimeout(timer));
    stream.end(body);
    const response = JSON.parse(await readResponse(stream)) as { err?: unknown } | null;
    if (response?.err)
      throw new Error(`the connector refused its configuration: ${String(response.err).slice(0, 200)}`);
  }
}
