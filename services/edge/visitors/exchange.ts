import type { Duplex } from 'node:stream';
import type { RefusalCode } from '@talpa/contracts';
import { giveGoAhead } from '@talpa/service-kit/pipelining';
import type { Head, RequestStream, StreamReceiver } from '../http2/connection.ts';
import { errorCodes } from '../http2/errors.ts';
import { oversizedHeader } from '../http2/header-block.ts';
import { edgeMeter } from '../metrics.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { scopeCookiesToHost } from './cookies.ts';
import { maximumResponseHeaders, sizeOfPairs } from './header-size.ts';
import type { Inquiry } from './inquiry.ts';
import { JoinedStreams } from './join.ts';
import { asksForHttps } from './origin-problems.ts';
import { OriginResponse } from './origin-response.ts';
import type { PageParams } from './pages/page.ts';
import type { ParsedRequest } from './parse-request.ts';
import type { Gate, TunnelPorts } from './ports.ts';
import { breakOff, leaveUpload, respondWithPage, type VisitorResponse } from './respond.ts';
import type { Running } from './running.ts';
import {
  isConnectorsOwn,
  readSerializedFields,
  responseFieldsHeader,
  responseMetaHeader,
} from './serialized.ts';
import { Upload } from './upload.ts';
import type { VisitorRequest } from './visitor.ts';
import type { Wall } from './wall/wall.ts';
import { acceptsWebSocket } from './websocket.ts';

/** One request on its way, with all it needs. */
export interface ExchangeParts {
  readonly request: VisitorRequest;
  readonly response: VisitorResponse;
  readonly parsed: ParsedRequest;
  readonly proxyId: string;
  readonly tunnelId: string;
  /** Left out: everyone may visit the proxy. */
  readonly gate: Gate | undefined;
  /** When the visit ends that lets the visitor in, by `Date.now()`. */
  readonly endsAt: number;
  readonly isAllowed: Wall['isAllowed'];
  readonly pick: TunnelPorts['pick'];
  readonly traffic: Traffic;
  /** Called when a connector could not reach the panel. */
  readonly inquire: Inquiry;
  readonly bodyLimit: number;
  /** The visitor waits for a go-ahead before they send the body. */
  readonly expectsContinue: boolean;
  /** The visitor asked for a WebSocket: takes over when the panel agrees. */
  readonly upgrade: ((fields: readonly string[]) => Duplex) | undefined;
  /** Called once, when nothing of it is left. */
  onEnd(exchange: Exchange): void;
  /** Called again and again from when it has run for long. */
  onLong(): void;
}

const maximumAttempts = 3;
const ignore = () => {};

/** Carries one request to a connector and its response back, both as they come. */
export class Exchange implements Running, StreamReceiver {
  readonly parts: ExchangeParts;
  lastActivity = performance.now();
  readonly begunAt = this.lastActivity;
  hasResponded = false;
  /** Null: there was no response. */
  status: number | null = null;
  /** Why the edge responded in the panel's place. */
  reason: RefusalCode | null = null;
  bytesIn = 0;
  bytesOut = 0;
  /** Since when the visitor takes nothing of what waits for them. */
  stalledSince: number | undefined;
  private attempts = 0;
  /** The connection that carried it was lost once. */
  private wasLost = false;
  private stream: RequestStream | undefined;
  private readonly upload: Upload | undefined;
  private isContinued = false;
  private visitorDone = false;
  /** Nothing of it is left. */
  private isOver = false;
  private joined: JoinedStreams | undefined;
  private originResponse: OriginResponse | undefined;

  constructor(parts: ExchangeParts) {
    this.parts = parts;
    if (parts.parsed.hasBody) this.upload = new Upload(this, parts.request, parts.bodyLimit);
    // Writing to a visitor who has just left is no fault.
    parts.response.on('error', ignore);
    parts.response.on('close', () => this.visitorClosed());
  }

  /** Counts a piece of a body, and that something moved. */
  moved(direction: 'bytesIn' | 'bytesOut', bytes: number): void {
    this.lastActivity = performance.now();
    this[direction] += bytes;
    this.parts.traffic.of(this.parts.proxyId)[direction] += bytes;
    edgeMeter.carried(direction, bytes);
  }

  get address(): string {
    return this.parts.parsed.visitor.address;
  }

  get proxyId(): string {
    return this.parts.proxyId;
  }

  get tunnelId(): string {
    return this.parts.tunnelId;
  }

  get hostname(): string {
    return this.parts.parsed.host.name;
  }

  get gate(): Gate | undefined {
    return this.parts.gate;
  }

  isAllowedBy(gate: Gate | undefined): Promise<boolean> {
    return this.parts.isAllowed(gate, this.parts.request, this.parts.parsed);
  }

  mustLeave(now: number): boolean {
    const { gate, endsAt, parsed } = this.parts;
    if (!gate) return false;
    if (endsAt <= now) return true;
    if (!gate.expires) return false;
    const { outcome } = gate.judge({ address: this.address, path: parsed.path }, now);
    return outcome === 'deny' || (outcome === 'wall' && endsAt === Number.POSITIVE_INFINITY);
  }

  deny(): void {
    this.refuse('access_denied', { host: this.hostname, address: this.address });
  }

  suspend(): void {
    this.refuse('suspended', { host: this.hostname });
  }

  pause(message: string): void {
    this.refuse('paused', { host: this.hostname, message });
  }

  ranLong(): void {
    this.parts.onLong();
  }

  /** Says that the visitor's side is full, or takes again. */
  stalled(isStalled: boolean): void {
    if (!isStalled) this.stalledSince = undefined;
    else this.stalledSince ??= performance.now();
  }

  /** Tries a connection; another one when the first took nothing of the request. */
  async attempt(): Promise<void> {
    this.attempts += 1;
    try {
      const connection = await this.parts.pick(this.parts.tunnelId);
      if (this.visitorDone) return;
      if (!connection) {
        const code = this.wasLost ? 'connection_lost' : 'no_connector';
        return void this.refuse(code, { host: this.parts.parsed.host.name });
      }
      this.stream = connection.openRequest(this.parts.parsed.fields, this, {
        endStream: !this.upload && !this.parts.upgrade,
      });
      this.beginUpload(this.stream);
    } catch {
      if (this.attempts < maximumAttempts) return this.attempt();
      this.refuse('connection_lost');
    }
  }

  private beginUpload(stream: RequestStream): void {
    if (!this.upload) return;
    if (this.parts.expectsContinue && !this.isContinued) giveGoAhead(this.parts.response);
    this.isContinued = true;
    this.upload.sendTo(stream);
  }

  onResponse(head: Head): void {
    const { stream } = this;
    if (this.visitorDone || this.hasResponded || !stream) return;
    this.lastActivity = performance.now();
    const status = Number(head[':status']);
    if (head[oversizedHeader] !== undefined) return void this.refuse('response_head_too_large');
    if (status >= 500 && isConnectorsOwn(head[responseMetaHeader])) return void this.unreachable();
    let fields: string[];
    try {
      fields = readSerializedFields(head[responseFieldsHeader] ?? '');
    } catch {
      return void this.refuse('connection_lost');
    }
    if (sizeOfPairs(fields) > maximumResponseHeaders) return void this.refuse('response_head_too_large');
    scopeCookiesToHost(fields, this.parts.parsed.host.name);
    if (status === 200 && this.parts.upgrade && acceptsWebSocket(fields)) {
      this.join(stream, this.parts.upgrade, fields);
      return;
    }
    this.passResponse(stream, status, fields, head['content-length']);
  }

  onData(piece: Buffer): void {
    if (this.joined) {
      this.joined.onData(piece);
      return;
    }
    if (this.status === 400 && this.bytesOut === 0 && asksForHttps(piece))
      this.parts.traffic.trackProblem(this.parts.proxyId, 'speaks_https');
    this.originResponse?.onData(piece);
  }

  onTrailers(trailers: Head): void {
    this.originResponse?.onTrailers(trailers);
  }

  onEnd(): void {
    if (this.joined) this.joined.onEnd();
    else this.originResponse?.onEnd();
  }

  onDrain(): void {
    if (this.joined) this.joined.onDrain();
    else this.upload?.onDrain();
  }

  onClose(): void {
    const { stream } = this;
    if (!stream) return;
    this.upload?.onClose();
    if (this.joined) this.joined.onClose();
    if (this.visitorDone) return void this.endIfDone();
    if (this.hasResponded) return void this.originResponse?.onClose();
    if (stream.isRefused && !this.upload?.hasStarted && this.attempts < maximumAttempts) void this.attempt();
    else if (stream.isLost && this.isRepeatable) {
      this.wasLost = true;
      void this.attempt();
    } else this.refuse('connection_lost');
  }

  private passResponse(
    stream: RequestStream,
    status: number,
    fields: string[],
    length: string | undefined,
  ): void {
    const { request, response, parsed } = this.parts;
    const passed = new OriginResponse(this, stream, response, parsed.method === 'HEAD');
    try {
      passed.begin(status, fields, length, parsed.requestId);
    } catch {
      // A header that no server may send: nothing has been written.
      return void this.refuse('connection_lost');
    }
    this.hasResponded = true;
    this.originResponse = passed;
    this.countResponse(status, true);
    passed.whenSent = () => leaveUpload(request, response);
  }

  private join(
    stream: RequestStream,
    upgrade: (fields: readonly string[]) => Duplex,
    fields: string[],
  ): void {
    let visitor: Duplex;
    try {
      visitor = upgrade(fields);
    } catch {
      // A header that no server may send: nothing has been written.
      return void this.refuse('connection_lost');
    }
    this.hasResponded = true;
    this.countResponse(101, true);
    visitor.on('close', () => this.visitorClosed());
    this.joined = new JoinedStreams(visitor, stream, this);
  }

  private unreachable(): void {
    const { traffic, proxyId, tunnelId } = this.parts;
    const counted = traffic.of(proxyId);
    counted.unreachable += 1;
    counted.lastUnreachableAt = Date.now();
    traffic.trackOrigin(proxyId, 'unreachable');
    this.parts.inquire({ proxyId, tunnelId, hostname: this.hostname });
    this.refuse('origin_unreachable');
  }

  /** Asking again does nothing twice; once only, or a request that breaks connections would break them all. */
  private get isRepeatable(): boolean {
    const { parsed, upgrade } = this.parts;
    const isRead = parsed.method === 'GET' || parsed.method === 'HEAD';
    return isRead && !this.upload && !upgrade && !this.wasLost && this.attempts < maximumAttempts;
  }

  private visitorClosed(): void {
    if (this.visitorDone) return;
    this.visitorDone = true;
    const { stream } = this;
    // A stream whose every byte has come ends by itself; its end may still be on the way.
    const isWhole = stream?.hasEnded && (this.originResponse?.isSent || stream.hasReceivedEnd);
    if (!isWhole) stream?.reset(errorCodes.cancel);
    // What the visitor would have taken is dropped: a stream that is paused never closes.
    else stream?.resume();
    this.endIfDone();
  }

  private endIfDone(): void {
    if (this.isOver || !this.visitorDone || !(this.stream?.isClosed ?? true)) return;
    // A reset stream is closed at once and says so later: what the request held is given back once.
    this.isOver = true;
    this.parts.onEnd(this);
  }

  /** Responds with a page of the edge; when a response has begun, breaks it off. */
  refuse(code: RefusalCode, params?: PageParams): void {
    if (this.hasResponded) return void this.fail();
    this.hasResponded = true;
    this.reason = code;
    const { request, response, parsed } = this.parts;
    this.stream?.reset(errorCodes.cancel);
    this.countResponse(respondWithPage(request, response, parsed.requestId, code, params), false);
  }

  /** The response cannot be finished. */
  fail(): void {
    // What has come is still written: a visitor gets a part of a response rather than none.
    this.originResponse?.flush();
    if (this.joined) this.joined.destroy();
    else breakOff(this.parts.response);
    this.stream?.reset(errorCodes.cancel);
  }

  giveUp(): void {
    this.refuse('timeout');
  }

  private countResponse(status: number, isOrigins: boolean): void {
    const traffic = this.parts.traffic.of(this.parts.proxyId);
    const statusClass = Math.min(4, Math.max(0, Math.floor(status / 100) - 1)) as 0 | 1 | 2 | 3 | 4;
    this.status = status;
    traffic.requests += 1;
    traffic.responses[statusClass] += 1;
    if (!isOrigins) return;
    edgeMeter.responded(statusClass, performance.now() - this.begunAt);
    traffic.lastResponseAt = Date.now();
    traffic.lastStatus = status;
    this.parts.traffic.trackOrigin(this.parts.proxyId, 'ok');
  }
}
