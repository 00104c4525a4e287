import type { RefusalCode } from '@talpa/contracts';
import type { RequestStream } from '../http2/connection.ts';
import { mayTrail } from './fields.ts';
import type { PageParams } from './pages/page.ts';
import type { VisitorRequest } from './visitor.ts';

/** What an upload reports to its exchange. */
export interface UploadEvents {
  /** Whether the response has begun. */
  readonly hasResponded: boolean;
  moved(direction: 'bytesIn', bytes: number): void;
  refuse(code: RefusalCode, params?: PageParams): void;
}

/** Passes a request's body on as it comes, no faster than the connector takes it. */
export class Upload {
  /** Part of the body is gone: the request cannot be sent a second time. */
  hasStarted = false;
  private readonly exchange: UploadEvents;
  private readonly request: VisitorRequest;
  private readonly limit: number;
  private received = 0;
  private stream: RequestStream | undefined;

  constructor(exchange: UploadEvents, request: VisitorRequest, limit: number) {
    this.exchange = exchange;
    this.request = request;
    this.limit = limit;
  }

  /** Sends the body to this stream; the second time, when nothing had been sent, instead of the first. */
  sendTo(stream: RequestStream): void {
    const isFirst = this.stream === undefined;
    this.stream = stream;
    if (!isFirst) return void this.request.resume();
    const { request } = this;
    // A visitor who leaves is noticed by the response's close.
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => this.onData(chunk));
    request.on('end', () => {
      this.hasStarted = true;
      const trailers = trailersOf(request.trailers);
      try {
        this.stream?.end(Object.keys(trailers).length > 0 ? trailers : undefined);
      } catch {
        this.exchange.refuse('bad_request');
      }
    });
  }

  onDrain(): void {
    this.request.resume();
  }

  /** A stream that has closed drains no more; one that took nothing may be followed by another. */
  onClose(): void {
    if (this.hasStarted || this.exchange.hasResponded) this.request.resume();
    else this.request.pause();
  }

  private onData(chunk: Buffer): void {
    this.hasStarted = true;
    this.received += chunk.length;
    this.exchange.moved('bytesIn', chunk.length);
    if (this.received > this.limit) {
      this.tooLarge();
      return;
    }
    const { stream } = this;
    // A panel that has responded before the end may have stopped listening: a closed stream drops the rest.
    if (stream && !stream.write(chunk)) this.request.pause();
  }

  private tooLarge(): void {
    if (this.stream?.isClosed) return;
    this.exchange.refuse('body_too_large', { maximum: this.limit });
  }
}

function trailersOf(trailers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const entries = Object.entries(trailers).filter(([name]) => mayTrail(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value ?? '')]));
}
