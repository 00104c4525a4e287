import { ConnectionError, errorCodes } from './errors.ts';
import { defaultWindow, maximumWindow } from './frames.ts';
import type { Output } from './output.ts';
import type { RequestStream } from './stream.ts';

/** The streams of a connection that have something to send, and the window that they share. */
export class SendQueue {
  private readonly output: Output;
  private window = defaultWindow;
  /** Those that may send as soon as there is room, in turn. */
  private readonly ready = new Set<RequestStream>();
  /** Those that wait for the window. */
  private readonly blocked = new Set<RequestStream>();

  constructor(output: Output) {
    this.output = output;
  }

  add(stream: RequestStream): void {
    this.ready.add(stream);
    this.output.schedule();
  }

  remove(stream: RequestStream): void {
    this.ready.delete(stream);
    this.blocked.delete(stream);
  }

  /** @throws ConnectionError when the window is larger than HTTP/2 can count. */
  growWindow(bytes: number): void {
    this.window += bytes;
    if (this.window > maximumWindow)
      throw new ConnectionError(errorCodes.flowControlError, 'a window that is too large');
    if (this.blocked.size > 0) this.output.schedule();
  }

  /** Lets streams send in turn, as far as window and socket have room. */
  pump(maximumFrame: number): void {
    const served = new Set<RequestStream>();
    for (const stream of this.blocked) {
      // A peer may let its window grow by single bytes: no more streams are looked at than it has room for.
      if (this.window === 0 || this.output.isFull) break;
      this.blocked.delete(stream);
      this.serve(stream, maximumFrame, served);
    }
    for (const stream of this.ready) {
      if (this.output.isFull) break;
      // It goes behind those that wait; added again, it has its next turn in this same loop.
      this.ready.delete(stream);
      this.serve(stream, maximumFrame, served);
    }
    for (const stream of served) {
      stream.closeIfDone();
      stream.drainIfRoom();
    }
  }

  private serve(stream: RequestStream, maximumFrame: number, served: Set<RequestStream>): void {
    if (!stream.isReady) return;
    served.add(stream);
    const sent = stream.sendSome(this.window, maximumFrame);
    this.window -= sent;
    if (stream.isReady) (sent > 0 ? this.ready : this.blocked).add(stream);
  }
}
