import { Duplex } from 'node:stream';
import {
  type ConnectionOptions,
  type Head,
  Http2Connection,
  type RequestStream,
  type StreamReceiver,
} from '../../services/edge/http2/connection.ts';
import { preface } from '../../services/edge/http2/frames.ts';
import { frame } from './frames.ts';

/** A frame that the connection has sent. */
export interface SentFrame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** A socket whose other end is the test. With `isStuck` it takes nothing more of what is written. */
class TestSocket extends Duplex {
  private pieces: Buffer[] = [];
  isStuck = false;
  private whenTaken = () => {};
  /** Everything so far. */
  get sent(): Buffer {
    this.pieces = [Buffer.concat(this.pieces)];
    return this.pieces[0] as Buffer;
  }
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.pieces.push(chunk);
    if (this.isStuck) this.whenTaken = done;
    else done();
  }
  release(): void {
    this.isStuck = false;
    this.whenTaken();
  }
}

/** What a receiver has been given, in order. */
export class Recorder implements StreamReceiver {
  readonly events: string[] = [];
  body = '';
  head: Head | undefined;
  onResponse(head: Head): void {
    this.head = head;
    this.events.push(`response ${head[':status']}`);
  }
  onData(piece: Buffer): void {
    this.body += piece.toString('latin1');
  }
  onTrailers(trailers: Head): void {
    this.events.push(`trailers ${JSON.stringify({ ...trailers })}`);
  }
  onEnd(): void {
    this.events.push('end');
  }
  onDrain(): void {
    this.events.push('drain');
  }
  onClose(): void {
    this.events.push('close');
  }
}

export const settings = frame(4, 0, 0, Buffer.alloc(0));
/** `:status: 200` of HPACK's static table. */
export const ok = Buffer.from([0x88]);

/** A turn of the event loop: what is sent leaves at its end. */
export const turn = () => new Promise<void>((done) => setImmediate(() => setImmediate(done)));

/** A connection, and the test as its peer. */
export class Peer {
  readonly socket = new TestSocket();
  readonly http2: Http2Connection;

  constructor(options?: ConnectionOptions) {
    this.http2 = new Http2Connection(this.socket, options);
  }

  /** Opens a request: a GET, or an upload that is left open. */
  request(endStream = true): { stream: RequestStream; recorder: Recorder } {
    const recorder = new Recorder();
    const fields = { ':method': 'GET', ':scheme': 'http', ':authority': 'a', ':path': '/' };
    return { stream: this.http2.request(fields, recorder, { endStream }), recorder };
  }

  /** Sends bytes, and waits until the connection has responded to them. */
  async send(...frames: Buffer[]): Promise<void> {
    this.socket.push(Buffer.concat(frames));
    await turn();
  }

  /** All frames so far, without the preface. */
  get frames(): SentFrame[] {
    const bytes = this.socket.sent.subarray(preface.length);
    const frames: SentFrame[] = [];
    for (let at = 0; at + 9 <= bytes.length; ) {
      const length = bytes.readUIntBE(at, 3);
      const payload = bytes.subarray(at + 9, at + 9 + length);
      const [type = 0, flags = 0] = [bytes[at + 3], bytes[at + 4]];
      frames.push({ type, flags, streamId: bytes.readUInt32BE(at + 5), payload });
      at += 9 + length;
    }
    return frames;
  }

  ofType(type: number): SentFrame[] {
    return this.frames.filter((one) => one.type === type);
  }

  /** The code that ended the connection; undefined while it goes on. */
  get goAwayCode(): number | undefined {
    return this.ofType(7)[0]?.payload.readUInt32BE(4);
  }

  /** Codes of the streams that were reset, by stream. */
  get resets(): Record<number, number> {
    return Object.fromEntries(
      this.ofType(3).map(({ streamId, payload }) => [streamId, payload.readUInt32BE(0)]),
    );
  }
}
