import type { Duplex } from 'node:stream';

/** Bytes on their way to the socket above which no more DATA is added. */
const maximumBuffered = 262_144;

/** Collects what one turn of the event loop sends and writes it in one piece: fewer TLS records, fewer system calls. */
export class Output {
  private readonly socket: Duplex;
  private readonly beforeFlush: () => void;
  private readonly maximumUnsent: number;
  private readonly whenOverfull: () => void;
  private parts: (string | Buffer)[] = [];
  private bytes = 0;
  private isScheduled = false;

  /**
   * @param beforeFlush called before each write, to add what may be sent now.
   * @param maximumUnsent bytes that may wait for the socket, heads and acknowledgments included.
   * @param whenOverfull called when more waits.
   */
  constructor(socket: Duplex, beforeFlush: () => void, maximumUnsent: number, whenOverfull: () => void) {
    this.maximumUnsent = maximumUnsent;
    this.whenOverfull = whenOverfull;
    this.socket = socket;
    this.beforeFlush = beforeFlush;
    socket.on('drain', () => this.schedule());
  }

  /** Whether DATA must wait for the socket. */
  get isFull(): boolean {
    return this.bytes + this.socket.writableLength >= maximumBuffered;
  }

  /** @param frames one byte per character. */
  add(frames: string): void {
    const last = this.parts.length - 1;
    const before = this.parts[last];
    if (typeof before === 'string') this.parts[last] = before + frames;
    else this.parts.push(frames);
    this.bytes += frames.length;
    this.schedule();
  }

  addPayload(head: string, payload: Buffer): void {
    this.add(head);
    this.parts.push(payload);
    this.bytes += payload.length;
  }

  schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.flush();
    });
  }

  flush(): void {
    this.beforeFlush();
    const { parts, socket } = this;
    if (parts.length === 0) return;
    this.parts = [];
    this.bytes = 0;
    if (socket.destroyed || socket.writableEnded) return;
    if (parts.length > 1) socket.cork();
    for (const part of parts)
      if (typeof part === 'string') socket.write(part, 'latin1');
      else socket.write(part);
    if (parts.length > 1) socket.uncork();
    if (socket.writableLength > this.maximumUnsent) this.whenOverfull();
  }
}
