import { Duplex } from 'node:stream';
import { HeaderLimiter } from './header-limiter.ts';

type Done = (error?: Error | null) => void;

/** A connector's socket, on which a head that is too large ends its own stream alone. */
export class HeaderLimitedSocket extends Duplex {
  private readonly socket: Duplex;
  private hasEnded = false;

  constructor(socket: Duplex) {
    super({ readableHighWaterMark: 262_144 });
    this.socket = socket;
    let isFull = false;
    const limiter = new HeaderLimiter((bytes) => {
      if (!this.push(bytes)) isFull = true;
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        limiter.take(chunk);
      } catch (error) {
        this.destroy(error as Error);
      }
      if (isFull) socket.pause();
      isFull = false;
    });
    socket.once('end', () => {
      this.hasEnded = true;
      this.closeWhenRead();
    });
    socket.once('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
  }

  override _read(): void {
    this.socket.resume();
    if (this.hasEnded) setImmediate(() => this.closeWhenRead());
  }

  /**
   * Closes the whole connection after the connector has ended its side. With a half-open connection `node:http2` waits until its
   * own side is sent, and destroying the session meanwhile fails an assertion that ends the process (Node 24).
   */
  private closeWhenRead(): void {
    if (this.readableLength === 0) this.destroy();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.socket.write(chunk, done);
  }

  /** What belongs together leaves together: one TLS record instead of one per frame. */
  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.socket.cork();
    const last = chunks.length - 1;
    for (const [index, { chunk }] of chunks.entries())
      this.socket.write(chunk, index === last ? done : undefined);
    this.socket.uncork();
  }

  override _final(done: Done): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: Done): void {
    this.socket.destroy();
    done(error);
  }
}
