import type { Duplex } from 'node:stream';
import type { RequestStream } from '../http2/connection.ts';
import { errorCodes } from '../http2/errors.ts';

/** A WebSocket is never half open: when one side has ended, the other has this long to say goodbye. */
const goodbyeMs = 5_000;

/** Who is notified of what happens on a WebSocket. */
export interface JoinWatch {
  moved(direction: 'bytesIn' | 'bytesOut', bytes: number): void;
  /** The visitor takes nothing of what waits, or takes again. */
  stalled(isStalled: boolean): void;
}

/** Passes raw bytes between a visitor and a connector, both ways, until one has ended. */
export class JoinedStreams {
  private readonly visitor: Duplex;
  private readonly stream: RequestStream;
  private readonly watch: JoinWatch;
  private goodbye: NodeJS.Timeout | undefined;

  constructor(visitor: Duplex, stream: RequestStream, watch: JoinWatch) {
    this.visitor = visitor;
    this.stream = stream;
    this.watch = watch;
    visitor.on('error', () => {});
    visitor.on('data', (chunk: Buffer) => {
      watch.moved('bytesIn', chunk.length);
      if (!stream.write(chunk)) visitor.pause();
    });
    visitor.on('drain', () => {
      watch.stalled(false);
      stream.resume();
    });
    visitor.once('end', () => {
      stream.end();
      this.sayGoodbye();
    });
    visitor.once('close', () => {
      clearTimeout(this.goodbye);
      stream.reset(errorCodes.cancel);
    });
  }

  /** Cuts both sides. */
  destroy(): void {
    this.visitor.destroy();
  }

  onData(piece: Buffer): void {
    this.watch.moved('bytesOut', piece.length);
    if (this.visitor.writableEnded || this.visitor.destroyed || this.visitor.write(piece)) return;
    this.stream.pause();
    this.watch.stalled(true);
  }

  onDrain(): void {
    this.visitor.resume();
  }

  onEnd(): void {
    this.visitor.end();
    this.sayGoodbye();
  }

  /** What has come is still written before the visitor is let go. */
  onClose(): void {
    if (this.stream.rstCode === errorCodes.noError) this.visitor.end(() => this.visitor.destroy());
    else this.visitor.destroy();
  }

  private sayGoodbye(): void {
    this.goodbye ??= setTimeout(() => this.visitor.destroy(), goodbyeMs);
  }
}
