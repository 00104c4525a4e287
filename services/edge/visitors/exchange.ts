import {
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import type { EdgeErrorCode } from '@talpa/contracts';
import { oversizedHeader } from '../connectors/header-limiter.ts';
import { edgeMeter } from '../metrics.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { scopeCookiesToHost } from './cookies.ts';
import { maximumResponseHeaders, sizeOfPairs } from './header-size.ts';
import { joinStreams } from './join.ts';
import { OriginResponse } from './origin-response.ts';
import type { PageParams } from './pages/page.ts';
import type { ParsedRequest } from './parse-request.ts';
import type { TunnelPorts } from './ports.ts';
import { resetStream } from './reset.ts';
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
import { acceptsWebSocket } from './websocket.ts';

/** One request on its way, with all it needs. */
export interface ExchangeParts {
  readonly request: VisitorRequest;
  readonly response: VisitorResponse;
  readonly parsed: ParsedRequest;
  readonly tunnelId: string;
  readonly pick: TunnelPorts['pick'];
  readonly traffic: Traffic;
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

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = constants;
const maximumAttempts = 3;
const ignore = () => {};

/** Carries one request to a connector and its response back, both as they come. */
export class Exchange implements Running {
  readonly parts: ExchangeParts;
  lastActivity = performance.now();
  readonly begunAt = this.lastActivity;
  hasResponded = false;
  /** Since when the visitor takes nothing of what waits for them. */
  stalledSince: number | undefined;
  private attempts = 0;
  /** The connection that carried it was lost once. */
  private wasLost = false;
  private stream: ClientHttp2Stream | undefined;
  private readonly upload: Upload | undefined;
  private isContinued = false;
  private visitorDone = false;
  private streamDone = true;
  private joined: Duplex | undefined;
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
    this.parts.traffic.of(this.parts.tunnelId)[direction] += bytes;
    edgeMeter.carried(direction, bytes);
  }

  get address(): string {
    return this.parts.parsed.visitor.address;
  }

  get tunnelId(): string {
    return this.parts.tunnelId;
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
      this.begin(
        connection.openRequest(this.parts.parsed.fields, {
          endStream: !this.upload && !this.parts.upgrade,
          ...(this.upload?.hasTrailers ? { waitForTrailers: true } : {}),
        }),
      );
    } catch {
      if (this.attempts < maximumAttempts) return this.attempt();
      this.refuse('connection_lost');
    }
  }

  private begin(stream: ClientHttp2Stream): void {
    this.stream = stream;
    this.streamDone = false;
    const { session } = stream;
    stream.on('response', (headers) => this.onResponse(stream, headers));
    // What went wrong is read from the stream when it has closed.
    stream.on('error', ignore);
    stream.on('close', () => this.streamClosed(stream, session?.destroyed ?? true));
    if (this.upload) {
      if (this.parts.expectsContinue && !this.isContinued) this.parts.response.writeContinue();
      this.isContinued = true;
      this.upload.sendTo(stream);
    }
  }

  private onResponse(
    stream: ClientHttp2Stream,
    headers: IncomingHttpHeaders & IncomingHttpStatusHeader,
  ): void {
    if (this.visitorDone) return;
    this.lastActivity = performance.now();
    const status = headers[':status'] ?? 0;
    if (headers[oversizedHeader] !== undefined) return void this.refuse('response_head_too_large');
    if (status >= 500 && isConnectorsOwn(headers[responseMetaHeader])) return void this.unreachable();
    let fields: string[];
    try {
      fields = readSerializedFields(String(headers[responseFieldsHeader] ?? ''));
    } catch {
      return void this.refuse('connection_lost');
    }
    if (sizeOfPairs(fields) > maximumResponseHeaders) return void this.refuse('response_head_too_large');
    scopeCookiesToHost(fields, this.parts.parsed.host.name);
    if (status === 200 && this.parts.upgrade && acceptsWebSocket(fields)) {
      this.join(stream, this.parts.upgrade, fields);
      return;
    }
    if (status < 200) return void this.refuse('connection_lost');
    this.passResponse(stream, status, fields, headers['content-length']);
  }

  private passResponse(
    stream: ClientHttp2Stream,
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
    stream: ClientHttp2Stream,
    upgrade: (fields: readonly string[]) => Duplex,
    fields: string[],
  ): void {
    try {
      this.joined = upgrade(fields);
    } catch {
      // A header that no server may send: nothing has been written.
      return void this.refuse('connection_lost');
    }
    this.hasResponded = true;
    this.countResponse(101, true);
    this.joined.on('close', () => this.visitorClosed());
    joinStreams(this.joined, stream, {
      moved: (direction, bytes) => this.moved(direction, bytes),
      stalled: (isStalled) => this.stalled(isStalled),
    });
  }

  private unreachable(): void {
    const traffic = this.parts.traffic.of(this.parts.tunnelId);
    traffic.unreachable += 1;
    traffic.lastUnreachableAt = Date.now();
    this.parts.traffic.noteOrigin(this.parts.tunnelId, 'unreachable');
    this.refuse('origin_unreachable');
  }

  private streamClosed(stream: ClientHttp2Stream, isLost: boolean): void {
    if (stream !== this.stream) return;
    this.streamDone = true;
    if (this.visitorDone) return void this.endIfDone();
    if (this.hasResponded) return void this.originResponse?.onClose();
    const nothingTaken = stream.id === undefined || stream.rstCode === NGHTTP2_REFUSED_STREAM;
    if (nothingTaken && !this.upload?.hasStarted && this.attempts < maximumAttempts) void this.attempt();
    else if (isLost && this.isRepeatable) {
      this.wasLost = true;
      void this.attempt();
    } else this.refuse('connection_lost');
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
    const isWhole = stream?.writableEnded && (this.originResponse?.isSent || stream.readableEnded);
    if (stream && !this.streamDone && !isWhole) resetStream(stream, NGHTTP2_CANCEL);
    this.endIfDone();
  }

  private endIfDone(): void {
    if (this.visitorDone && this.streamDone) this.parts.onEnd(this);
  }

  /** Responds with a page of the edge; when a response has begun, breaks it off. */
  refuse(code: EdgeErrorCode, params?: PageParams): void {
    if (this.hasResponded) return void this.fail();
    this.hasResponded = true;
    const { request, response, parsed } = this.parts;
    if (this.stream) resetStream(this.stream, NGHTTP2_CANCEL);
    this.countResponse(respondWithPage(request, response, parsed.requestId, code, params), false);
  }

  /** The response cannot be finished. */
  fail(): void {
    if (this.joined) this.joined.destroy();
    else breakOff(this.parts.response);
    if (this.stream) resetStream(this.stream, NGHTTP2_CANCEL);
  }

  giveUp(): void {
    this.refuse('timeout');
  }

  private countResponse(status: number, isOrigins: boolean): void {
    const traffic = this.parts.traffic.of(this.parts.tunnelId);
    const statusClass = Math.min(4, Math.max(0, Math.floor(status / 100) - 1)) as 0 | 1 | 2 | 3 | 4;
    traffic.requests += 1;
    traffic.responses[statusClass] += 1;
    if (!isOrigins) return;
    edgeMeter.responded(statusClass, performance.now() - this.begunAt);
    traffic.lastResponseAt = Date.now();
    traffic.lastStatus = status;
    this.parts.traffic.noteOrigin(this.parts.tunnelId, 'ok');
  }
}
