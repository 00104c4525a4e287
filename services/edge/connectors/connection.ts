import type { Fields, Http2Connection, RequestStream, StreamReceiver } from '../http2/connection.ts';
import { errorCodes } from '../http2/errors.ts';
import type { RemoteConfiguration } from './configuration.ts';
import type { RegisterRequest } from './protocol/registration.ts';
import { collectText } from './read-response.ts';
import type { EdgeConnection } from './registry.ts';

/** The address of what is for the connector itself. */
const toConnector = { ':scheme': 'https', ':authority': 'edge', ':path': '/' };
const upgradeHeader = 'cf-cloudflared-proxy-connection-upgrade';
/** A connector has so long to take over a configuration. */
const configurationTimeoutMs = 10_000;
/** What has been written is on its way by then. */
const endMs = 500;

/** Opens the stream on which the connector registers. Of the two sides the one that was dialed sends the requests. */
export function openControlStream(http2: Http2Connection, receiver: StreamReceiver): RequestStream {
  const fields = { ...toConnector, ':method': 'GET', [upgradeHeader]: 'control-stream' };
  return http2.request(fields, receiver, { endStream: false });
}

/** A registered connection of a connector, which carries requests. */
export class ConnectorConnection implements EdgeConnection {
  readonly id: string;
  readonly tunnelId: string;
  readonly connectorId: string;
  readonly index: number;
  private leaving = false;
  /** The version of the configuration the connector works with. */
  configVersion = -1;
  private readonly http2: Http2Connection;
  private liveness: Promise<boolean> | null = null;
  private isPushing = false;
  private next: RemoteConfiguration | null = null;
  private leaveTimer: NodeJS.Timeout | undefined;

  constructor(id: string, request: RegisterRequest, http2: Http2Connection) {
    this.id = id;
    this.tunnelId = request.tunnelId;
    this.connectorId = request.connectorId;
    this.index = request.index;
    this.http2 = http2;
    http2.once('close', () => clearTimeout(this.leaveTimer));
  }

  get closed(): boolean {
    return this.http2.closed;
  }

  /** It says good-bye itself, or its connection closes. */
  get draining(): boolean {
    return this.leaving || this.closed;
  }

  /** How many requests run on it; the control stream is none. */
  openStreams = 0;

  openRequest(
    fields: Fields,
    receiver: StreamReceiver,
    options: { readonly endStream: boolean },
  ): RequestStream {
    if (this.draining) throw new Error('the connection takes no more requests');
    const stream = this.http2.request(fields, receiver, options, () => this.requestClosed());
    this.openStreams += 1;
    return stream;
  }

  private requestClosed(): void {
    this.openStreams -= 1;
    if (this.leaving && this.openStreams === 0) this.end();
  }

  /** Ends it and everything on it at once. */
  destroy(): void {
    this.http2.destroy();
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
    this.http2.close();
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
    this.http2.once('close', giveUp);
    this.http2.ping(() => resolve(true));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.http2.off('close', giveUp);
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
    const { receiver, text } = collectText(() => stream.reset(errorCodes.cancel));
    const stream = this.http2.request(
      { ...toConnector, ':method': 'PUT', [upgradeHeader]: 'update-configuration' },
      receiver,
      { endStream: false },
    );
    const timer = setTimeout(() => stream.reset(errorCodes.cancel), configurationTimeoutMs);
    stream.write(Buffer.from(body));
    stream.end();
    const response = JSON.parse(await text.finally(() => clearTimeout(timer))) as { err?: unknown } | null;
    if (response?.err)
      throw new Error(`the connector refused its configuration: ${String(response.err).slice(0, 200)}`);
  }
}
