import { ServerResponse } from 'node:http';
import type { ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import type { Writable } from 'node:stream';
import { isHopByHop } from './fields.ts';
import { maximumResponseHeaders, sizeOfFields } from './header-size.ts';
import { type VisitorResponse, writeHead } from './respond.ts';

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** What a response reports to its exchange. */
export interface ResponseEvents {
  moved(direction: 'bytesOut', bytes: number): void;
  /** The visitor's side is full, or takes bytes again. */
  stalled(isStalled: boolean): void;
  /** The response cannot be finished. */
  fail(): void;
}

/** Passes an origin's response on as it comes, no faster than the visitor reads it. */
export class OriginResponse {
  /** Called when all of it has been handed over. */
  whenSent = () => {};
  private readonly exchange: ResponseEvents;
  private readonly stream: ClientHttp2Stream;
  private readonly response: VisitorResponse;
  private readonly body: Writable;
  private readonly isHead: boolean;
  /** The body's length, if the origin said it and there is a body. */
  private expected: number | undefined;
  private hasBody = true;
  private received = 0;
  private trailers: IncomingHttpHeaders | undefined;
  /** All of it has been handed over. */
  isSent = false;
  private waits = false;

  constructor(
    exchange: ResponseEvents,
    stream: ClientHttp2Stream,
    response: VisitorResponse,
    isHead: boolean,
  ) {
    this.exchange = exchange;
    this.stream = stream;
    this.response = response;
    this.body = response;
    this.isHead = isHead;
  }

  /**
   * Writes the head and lets the body follow.
   * @throws Error when a header is malformed; nothing has been written then.
   */
  begin(status: number, fields: string[], length: string | undefined, requestId: string): void {
    const stated = statedLength(fields) ?? length;
    if (stated !== undefined && !/^\d{1,16}$/.test(stated)) throw new Error('the length is no number');
    fields.push('cf-ray', requestId);
    writeHead(this.response, status, fields);
    this.hasBody = !this.isHead && !withoutBody.has(status);
    this.expected = stated === undefined || !this.hasBody ? undefined : Number(stated);
    this.listen();
  }

  private listen(): void {
    const { stream, response } = this;
    stream.on('data', (chunk: Buffer) => this.onData(chunk));
    stream.on('trailers', (trailers) => {
      this.trailers = trailers;
    });
    stream.on('end', () => this.onEnd());
    // An event stream's head must not wait for its first event; most bodies are here in this very turn.
    if (response instanceof ServerResponse)
      setImmediate(() => {
        if (this.received === 0 && !this.isSent && !response.destroyed) response.flushHeaders();
      });
  }

  private onData(chunk: Buffer): void {
    if (!this.hasBody) return;
    this.received += chunk.length;
    this.exchange.moved('bytesOut', chunk.length);
    if (this.expected === undefined || this.received < this.expected) {
      if (!this.body.write(chunk)) this.wait();
    } else if (this.received > this.expected || this.isSent) {
      // Bytes beyond the length would be taken for the next response.
      this.exchange.fail();
    } else {
      // The last piece goes out together with the end.
      this.isSent = true;
      this.body.end(chunk);
      if (this.body.writableNeedDrain) this.exchange.stalled(true);
      this.whenSent();
    }
  }

  /** @returns whether they could be; what no server may send breaks the response off. */
  private passTrailers(trailers: IncomingHttpHeaders): boolean {
    try {
      if (sizeOfFields(trailers) > maximumResponseHeaders) throw new Error('the trailers are too large');
      this.response.addTrailers(trailersOf(trailers));
      return true;
    } catch {
      this.exchange.fail();
      return false;
    }
  }

  private wait(): void {
    this.stream.pause();
    this.exchange.stalled(true);
    // Most responses fit into one write and never wait.
    if (this.waits) return;
    this.waits = true;
    this.response.on('drain', () => {
      this.exchange.stalled(false);
      this.stream.resume();
    });
  }

  /** The stream has closed: whole, if all of it was handed over. */
  onClose(): void {
    if (!this.isSent) this.exchange.fail();
  }

  private onEnd(): void {
    if (this.isSent) return;
    const isCut = this.expected !== undefined && this.received < this.expected;
    if (this.stream.rstCode !== 0 || isCut) {
      this.exchange.fail();
      return;
    }
    this.isSent = true;
    if (this.trailers && !this.passTrailers(this.trailers)) return;
    this.response.end();
    if (this.body.writableNeedDrain) this.exchange.stalled(true);
    this.whenSent();
  }
}

function statedLength(fields: readonly string[]): string | undefined {
  let stated: string | undefined;
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] as string;
    if (name.length !== 14 || name.toLowerCase() !== 'content-length') continue;
    if (stated !== undefined) throw new Error('two lengths are stated');
    stated = fields[index + 1];
  }
  return stated;
}

function trailersOf(trailers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(trailers).filter(
    ([name]) =>
      !name.startsWith(':') && !name.startsWith('cf-') && !isHopByHop(name) && name !== 'content-length',
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
