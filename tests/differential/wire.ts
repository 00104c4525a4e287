/** Names and values as they stand on the wire, one character a byte. */
export type WireFields = readonly (readonly [name: string, value: string])[];

/** A message as it was read from the wire. */
export interface Message {
  /** The request line or the status line. */
  first: string;
  fields: [string, string][];
  body: Buffer;
  trailers: [string, string][];
  /** Its end has come. */
  isWhole: boolean;
  /** What is no HTTP. */
  fault?: string;
}

type State = 'head' | 'length' | 'size' | 'chunk' | 'chunk end' | 'trailers' | 'close' | 'raw' | 'broken';

const valuesOf = (fields: WireFields, name: string) =>
  fields.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);

/** Reads HTTP/1 from a socket, by RFC 9112 and independently of Node: what it does not allow is a fault. */
export class WireReader {
  /** Called with each message whose head has come, and again when it is whole. */
  onHead: (message: Message) => void = () => {};
  onWhole: (message: Message) => void = () => {};
  /** What follows an upgrade. */
  onRaw: (bytes: Buffer) => void = () => {};
  /** Whether that response has no body, whatever its head says: one to HEAD. */
  isBodiless: () => boolean = () => false;
  /** Bytes of the body so far. */
  bodyBytes = 0;
  message: Message | undefined;
  private state: State = 'head';
  private rest: Buffer = Buffer.alloc(0);
  private body: Buffer[] = [];
  private missing = 0;
  private readonly isResponse: boolean;

  constructor(kind: 'request' | 'response') {
    this.isResponse = kind === 'response';
  }

  push(bytes: Buffer): void {
    this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    while (this.rest.length > 0 && this.step());
  }

  /** The other side has ended. */
  end(): void {
    if (this.state === 'close') this.finish();
    else if (this.message) this.message.body = Buffer.concat(this.body);
    else if (this.rest.length > 0) this.break('bytes that are no message');
  }

  /** Takes what comes as no HTTP any more. */
  switchToRaw(): void {
    this.state = 'raw';
  }

  /** @returns whether there may be more to read. */
  private step(): boolean {
    const { state } = this;
    if (state === 'head') return this.readHead();
    if (state === 'size') return this.readSize();
    if (state === 'trailers') return this.readTrailers();
    if (state === 'chunk end') {
      if (this.rest.length < 2) return false;
      if (this.takeBytes(2).toString('latin1') !== '\r\n')
        return this.break('a chunk that is longer than its size');
      this.state = 'size';
      return true;
    }
    if (state === 'raw') {
      this.onRaw(this.takeBytes(this.rest.length));
      return false;
    }
    if (state === 'broken') return false;
    const piece = this.takeBytes(
      state === 'close' ? this.rest.length : Math.min(this.missing, this.rest.length),
    );
    this.body.push(piece);
    this.bodyBytes += piece.length;
    this.missing -= piece.length;
    if (state === 'length' && this.missing === 0) this.finish();
    if (state === 'chunk' && this.missing === 0) this.state = 'chunk end';
    return true;
  }

  private readHead(): boolean {
    const end = this.rest.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const [first = '', ...lines] = this.takeBytes(end + 4)
      .toString('latin1', 0, end)
      .split('\r\n');
    const message: Message = { first, fields: [], body: Buffer.alloc(0), trailers: [], isWhole: false };
    this.message = message;
    this.body = [];
    this.bodyBytes = 0;
    const form = this.isResponse ? /^HTTP\/1\.[01] \d{3} .*$/ : /^[!-~]+ [!-\xff]+ HTTP\/1\.[01]$/;
    if (!form.test(first)) return this.break(`the first line ${JSON.stringify(first)}`);
    const fields = readLines(lines);
    if (!fields) return this.break('a malformed field');
    message.fields = fields;
    this.chooseState(message);
    this.onHead(message);
    if (this.state === 'length' && this.missing === 0) this.finish();
    return true;
  }

  /** What says where the message ends (RFC 9112, 6.3). */
  private chooseState({ first, fields }: Message): void {
    const status = Number(first.split(' ')[1]);
    const [codings, lengths] = [valuesOf(fields, 'transfer-encoding'), valuesOf(fields, 'content-length')];
    this.state = 'length';
    this.missing = 0;
    if (this.isResponse && status === 101) this.state = 'raw';
    else if (this.isResponse && (status < 200 || status === 204 || status === 304 || this.isBodiless()))
      return;
    else if (codings.length > 0 && lengths.length > 0) this.break('both a length and a coding');
    else if (codings.length > 0 && codings.join() !== 'chunked') this.break(`the coding ${codings}`);
    else if (codings.length > 0) this.state = 'size';
    else if (lengths.length > 1 || (lengths[0] !== undefined && !/^\d+$/.test(lengths[0])))
      this.break(`the length ${lengths}`);
    else if (lengths[0] !== undefined) this.missing = Number(lengths[0]);
    else if (this.isResponse) this.state = 'close';
  }

  private readSize(): boolean {
    const line = this.takeLine();
    if (line === null) return false;
    if (!/^[0-9a-f]+$/i.test(line)) return this.break(`the chunk size ${JSON.stringify(line.slice(0, 40))}`);
    this.missing = Number.parseInt(line, 16);
    this.state = this.missing === 0 ? 'trailers' : 'chunk';
    return true;
  }

  private readTrailers(): boolean {
    const line = this.takeLine();
    if (line === null) return false;
    if (line === '') {
      this.finish();
      return true;
    }
    const fields = readLines([line]);
    if (!fields) return this.break('a malformed trailer');
    this.message?.trailers.push(...fields);
    return true;
  }

  private finish(): void {
    const { message } = this;
    this.message = undefined;
    this.state = this.state === 'raw' ? 'raw' : 'head';
    if (!message) return;
    message.body = Buffer.concat(this.body);
    message.isWhole = true;
    this.onWhole(message);
  }

  private takeLine(): string | null {
    const end = this.rest.indexOf('\r\n');
    return end < 0 ? null : this.takeBytes(end + 2).toString('latin1', 0, end);
  }

  private takeBytes(length: number): Buffer {
    const taken = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return taken;
  }

  private break(fault: string): false {
    this.state = 'broken';
    this.message ??= { first: '', fields: [], body: Buffer.alloc(0), trailers: [], isWhole: false };
    this.message.fault = fault;
    return false;
  }
}

function readLines(lines: readonly string[]): [string, string][] | null {
  const fields: [string, string][] = [];
  for (const line of lines) {
    const [, name, value] = line.match(/^([!#$%&'*+\-.^_`|~0-9a-zA-Z]+):[ \t]*(.*?)[ \t]*$/s) ?? [];
    if (name === undefined || value === undefined || /[\0\r\n]/.test(value)) return null;
    fields.push([name, value]);
  }
  return fields;
}

/** A message's head as bytes. */
export function headBytes(first: string, fields: WireFields): Buffer {
  const lines = [first, ...fields.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** A piece of a body as a chunk. */
export const chunkOf = (piece: Buffer) =>
  Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);

/** What ends a body in chunks. */
export const lastChunk = (trailers: WireFields) =>
  Buffer.from(`0\r\n${trailers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`, 'latin1');
