import type { Socket } from 'node:net';
import { plainAddress } from '@talpa/service-kit/trust-proxy';
import type { Head, RequestStream, StreamReceiver } from '../http2/connection.ts';
import { errorCodes } from '../http2/errors.ts';
import type { PortRefusal } from '../metrics.ts';
import type { TunnelPorts } from '../visitors/ports.ts';
import { isForWeb, longestSlop, passable } from './first-bytes.ts';
import { proxyHeader } from './proxy-protocol.ts';
import type { GamePort } from './rows.ts';

/** Why a connection that was let in carries nothing of its visitor's. */
type DialRefusal = Extract<PortRefusal, 'no_connector' | 'unreachable' | 'timeout' | 'web'>;

/** Who is notified of what happens on a connection. */
export interface ConnectionWatch {
  /** It carries bytes from now on. */
  opened(): void;
  moved(direction: 'bytesIn' | 'bytesOut', bytes: number): void;
  /** Called once, before `ended`, when it has carried nothing of the visitor's. */
  refused(reason: DialRefusal): void;
  /** Called once, when nothing of it is left. */
  ended(): void;
}

/** A game port that leads somewhere. */
export type PortRoute = GamePort & Readonly<Record<'proxyId' | 'tunnelId' | 'target', string>>;

interface ConnectionParts {
  readonly socket: Socket;
  readonly port: PortRoute;
  /** The visitor's. */
  readonly address: string;
  readonly pick: TunnelPorts['pick'];
  readonly watch: ConnectionWatch;
}

const maximumAttempts = 3;
/** The connector has so long to reach the game server. */
const dialMs = 10_000;
/**
 * A visitor who has sent everything may still be answered. Connectors end both directions as soon as one has ended: they are
 * given its end when nothing has passed for so long.
 */
const halfOpenMs = 3_000;
/** A visitor who was sent everything has so long to close. What they still send is dropped; a reset would take the last bytes away. */
const goodbyeMs = 5_000;

/** The header by which connectors know that a stream carries TCP. */
export const proxySourceHeader = 'cf-cloudflared-proxy-src';

/** One visitor's connection to a game port: a stream of the tunnel, and raw bytes both ways. */
export class PortConnection implements StreamReceiver {
  readonly port: PortRoute;
  readonly address: string;
  /** Since when the visitor takes nothing of what waits for them. */
  stalledSince: number | undefined;
  private readonly socket: Socket;
  private readonly pick: TunnelPorts['pick'];
  private readonly watch: ConnectionWatch;
  private readonly begunAt = performance.now();
  private lastActivity = this.begunAt;
  private attempts = 0;
  private stream: RequestStream | undefined;
  private isOpen = false;
  private isOver = false;
  /** The visitor has sent everything. */
  private hasVisitorEnded = false;
  /** The visitor's first bytes, until they show that no browser sends them; null from then on. */
  private held: Buffer | null = Buffer.alloc(0);
  /** What the game server has said before its visitor, while more may show that it is a response; null from then on. */
  private greeting: Buffer | null = Buffer.alloc(0);
  /** How much of the greeting has passed. */
  private greeted = 0;
  /** When the visitor had been sent everything. */
  private goodbyeSince: number | undefined;

  constructor({ socket, port, address, pick, watch }: ConnectionParts) {
    this.socket = socket;
    this.port = port;
    this.address = address;
    this.pick = pick;
    this.watch = watch;
    socket.on('error', () => {});
    socket.once('close', () => this.finish());
  }

  get proxyId(): string {
    return this.port.proxyId;
  }

  /** Has a connector of the tunnel dial the game server; another one when the first did nothing. */
  async dial(): Promise<void> {
    this.attempts += 1;
    try {
      const connection = await this.pick(this.port.tunnelId);
      if (this.isOver) return;
      if (!connection) return void this.refuse('no_connector');
      this.stream = connection.openRequest(
        {
          ':method': 'GET',
          ':scheme': 'https',
          ':authority': this.port.target,
          ':path': '/',
          [proxySourceHeader]: this.address,
        },
        this,
        { endStream: false },
      );
    } catch {
      this.dialAgain();
    }
  }

  private dialAgain(): void {
    if (this.attempts < maximumAttempts) void this.dial();
    else this.refuse('no_connector');
  }

  onResponse(head: Head): void {
    const { stream, socket } = this;
    if (!stream || this.isOver) return;
    if (head[':status'] !== '200') return void this.refuse('unreachable');
    this.isOpen = true;
    this.lastActivity = performance.now();
    this.watch.opened();
    if (this.port.proxyProtocol) stream.write(this.proxyHeader());
    socket.on('data', (chunk: Buffer) => {
      // What comes after the game server has ended leads nowhere.
      if (stream.isClosed) return;
      const bytes = this.held === null ? chunk : this.judge(Buffer.concat([this.held, chunk]));
      if (bytes && !this.pass(stream, bytes)) socket.pause();
    });
    socket.on('drain', () => {
      this.stalledSince = undefined;
      stream.resume();
    });
    socket.once('finish', () => {
      this.stalledSince = undefined;
      this.goodbyeSince = performance.now();
    });
    socket.once('end', () => {
      this.hasVisitorEnded = true;
      // Half a method asks for nothing.
      if (this.held?.length && !stream.isClosed) this.pass(stream, this.held);
      if (stream.isClosed) socket.destroySoon();
    });
    socket.resume();
  }

  /**
   * Browsers send cookies to every port of a host: nothing of theirs reaches a game server.
   * @param bytes all that the visitor has sent
   * @returns them when they may pass
   */
  private judge(bytes: Buffer): Buffer | null {
    const verdict = isForWeb(bytes);
    if (verdict) this.refuseWeb();
    if (verdict !== false) {
      this.held = bytes;
      return null;
    }
    this.held = null;
    this.endGreeting();
    return bytes;
  }

  /** @returns what of a piece, and of what was kept, may pass by now */
  private screen(piece: Buffer): Buffer {
    const greeting = Buffer.concat([this.greeting ?? Buffer.alloc(0), piece]);
    const end = passable(greeting);
    if (end === null) this.refuseWeb();
    const passed = greeting.subarray(this.greeted, end ?? this.greeted);
    this.greeted += passed.length;
    this.greeting = greeting.length >= longestSlop ? null : greeting;
    return passed;
  }

  private endGreeting(): void {
    const rest = this.greeting?.subarray(this.greeted);
    this.greeting = null;
    if (rest?.length) this.socket.write(rest);
  }

  private refuseWeb(): void {
    this.watch.refused('web');
    this.end();
  }

  private pass(stream: RequestStream, bytes: Buffer): boolean {
    this.moved('bytesIn', bytes.length);
    return stream.write(bytes);
  }

  onData(piece: Buffer): void {
    this.moved('bytesOut', piece.length);
    if (!this.isOpen || !this.socket.writable) return;
    if (this.socket.write(this.greeting === null ? piece : this.screen(piece))) return;
    this.stream?.pause();
    this.stalledSince ??= performance.now();
  }

  onDrain(): void {
    this.socket.resume();
  }

  onEnd(): void {
    this.endGreeting();
    this.socket.end();
  }

  onClose(): void {
    const { stream, socket } = this;
    if (!stream || this.isOver) return;
    if (!this.isOpen) {
      // The visitor's bytes are still where they were: nothing was done, or can be done again.
      if (stream.isRefused || stream.isLost) this.dialAgain();
      else this.refuse('unreachable');
    } else if (stream.rstCode !== errorCodes.noError) this.end();
    else if (this.hasVisitorEnded) socket.destroySoon();
    // A visitor who was being held back is read on, so that their end is seen.
    else socket.end().resume();
  }

  /** Looks whether it has been still for too long. @param now by `performance.now()` */
  check(now: number, idleMs: number): void {
    const stillMs = now - this.lastActivity;
    if (!this.isOpen) {
      if (now - this.begunAt > dialMs) this.refuse('timeout');
    } else if (this.stream?.isClosed && now - (this.goodbyeSince ?? now) > goodbyeMs) this.end();
    else if (stillMs > idleMs) this.end();
    else if (this.hasVisitorEnded && stillMs > halfOpenMs) this.stream?.end();
  }

  /** Whether it is still what its port is for. @param port the port now; undefined: it is gone */
  mayStay(port: GamePort | undefined, now = Date.now()): boolean {
    if (port?.id !== this.port.id || port.target !== this.port.target) return false;
    return !port.isSuspended && port.allows(this.address, now);
  }

  /** Ends it at once. A reset, so that nobody takes what has come for the whole. */
  end(): void {
    this.socket.resetAndDestroy();
  }

  giveUp(): void {
    this.end();
  }

  private refuse(reason: DialRefusal): void {
    if (this.isOver) return;
    if (!this.isOpen) this.watch.refused(reason);
    this.end();
    this.finish();
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.stream && !this.stream.isClosed) this.stream.reset(errorCodes.cancel);
    this.watch.ended();
  }

  private moved(direction: 'bytesIn' | 'bytesOut', bytes: number): void {
    this.lastActivity = performance.now();
    this.watch.moved(direction, bytes);
  }

  private proxyHeader(): Buffer {
    const { remotePort = 0, localAddress = '', localPort = 0 } = this.socket;
    return proxyHeader(
      { address: this.address, port: remotePort },
      { address: plainAddress(localAddress), port: localPort },
    );
  }
}
