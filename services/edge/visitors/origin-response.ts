import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { Head, RequestStream } from '../http2/connection.ts';
import { isHopByHop } from './fields.ts';
import { maximumResponseHeaders, sizeOfFields } from './header-size.ts';
import { isGone, type VisitorResponse, writeHead } from './respond.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacter = /[\0-\x08\x0a-\x1f\x7f]/;
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
  private readonly stream: RequestStream;
  private readonly response: VisitorResponse;
  private readonly body: Pick<Writable, 'write' | 'end' | 'writableNeedDrain'>;
  private readonly isHead: boolean;
  /** The body's length, if the origin said it and there is a body. */
  private expected: number | undefined;
  private hasBody = true;
  private received = 0;
  private trailers: Head | undefined;
  /** All of it has been handed over. */
  isSent = false;
  private waits = false;
  private isCollecting = false;
  /** The socket that collects; null while a pipelined response waits for its turn. */
  private corked: Socket | null = null;
  /** The head is on its way. */
  private hasWritten = false;

  constructor(exchange: ResponseEvents, stream: RequestStream, response: VisitorResponse, isHead: boolean) {
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
    // Nobody may state the length of what there cannot be: HTTP/2 ends such a response as malformed.
    if (status === 204 || status === 205) drop(fields, 'content-length');
    // Node refuses it where there are no chunks, and connectors lose it where there are.
    drop(fields, 'trailer');
    fields.push('cf-ray', requestId);
    writeHead(this.response, status, fields);
    this.hasBody = !this.isHead && !withoutBody.has(status);
    this.expected = stated === undefined || !this.hasBody ? undefined : Number(stated);
    this.collect();
  }

  /**
   * Writes what comes in this turn of the event loop in one piece at its end: pieces of a large body are 16 kB each. The head leaves
   * then, too: an event stream's must not wait for its first event. The socket collects, because it keeps the order: Node 24 ends a
   * response that collects (`cork`) before it has written what was collected.
   */
  private collect(): void {
    const { response } = this;
    if (this.isCollecting || !(response instanceof ServerResponse)) return;
    this.isCollecting = true;
    this.corked = response.socket;
    this.corked?.cork();
    setImmediate(() => this.flush());
  }

  /** Writes what has been collected. */
  flush(): void {
    const { response } = this;
    if (!this.isCollecting || !(response instanceof ServerResponse)) return;
    this.isCollecting = false;
    if (response.writableEnded || isGone(response)) return;
    // Node's `flushHeaders` would write them as UTF-8. Without a body the end brings the head.
    if (!this.hasWritten) response.write('', 'latin1');
    this.hasWritten = true;
    this.corked?.uncork();
  }

  onTrailers(trailers: Head): void {
    this.trailers = trailers;
  }

  onData(chunk: Buffer): void {
    if (!this.hasBody) return;
    this.received += chunk.length;
    this.exchange.moved('bytesOut', chunk.length);
    if (this.expected === undefined || this.received < this.expected) {
      this.collect();
      this.hasWritten = true;
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
  private passTrailers(trailers: Head): boolean {
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

  onEnd(): void {
    if (this.isSent) return;
    if (this.expected !== undefined && this.received < this.expected) {
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

/** Removes all fields of that name. @param fields names and values in turn */
function drop(fields: string[], lowerName: string): void {
  for (let index = fields.length - 2; index >= 0; index -= 2) {
    const name = fields[index] as string;
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) fields.splice(index, 2);
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

function trailersOf(trailers: Head): Record<string, string> {
  const entries = Object.entries(trailers).filter(
    ([name, value]) =>
      !name.startsWith('cf-') &&
      !isHopByHop(name) &&
      name !== 'content-length' &&
      !controlCharacter.test(value),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutEndingSpace(value)]));
}

/** Connectors join values of one name by “, ”, and the last may be empty; HTTP/2 clients drop a field that ends so. */
function withoutEndingSpace(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === ' ' || value[end - 1] === '\t')) end -= 1;
  return value.slice(0, end);
}
