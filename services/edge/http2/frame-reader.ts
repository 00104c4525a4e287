import type { FrameBudget } from '../frame-budget.ts';
import { ConnectionError, errorCodes } from './errors.ts';
import { flags, frameHeadLength, frameTypes } from './frames.ts';

const empty = Buffer.alloc(0);

/** A frame that is not DATA, with its whole payload; the payload is valid during the call. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** Who takes what was read. */
export interface FrameTaker {
  onFrame(frame: Frame): void;
  /** A DATA frame begins: so many bytes of it count for flow control, its padding too. */
  onDataBegin(streamId: number, bytes: number): void;
  /** Bytes of its content, as they arrive. */
  onData(streamId: number, piece: Buffer): void;
  onDataEnd(streamId: number, endsStream: boolean): void;
}

/**
 * Reads frames from bytes that arrive in any pieces. The content of DATA is passed on at once; other payloads are collected,
 * and none may be longer than the limit that the peer was sent.
 */
export class FrameReader {
  private readonly taker: FrameTaker;
  private readonly maximumLength: number;
  private readonly budget: FrameBudget | null;
  private readonly head = Buffer.allocUnsafeSlow(frameHeadLength);
  private headLength = 0;
  private type = 0;
  private flags = 0;
  private streamId = 0;
  /** Bytes of the present payload that are still to come. */
  private left = 0;
  /** Bytes of padding at its end; undefined: the byte that says how many has not come. */
  private padding: number | undefined = 0;
  /** A payload that comes in pieces, and how much of it has come. */
  private collected: Buffer | undefined;
  private collectedBytes = 0;

  /**
   * @param maximumLength of a payload, in bytes.
   * @param budget of small frames; null: the peer is trusted with as many as it likes.
   */
  constructor(taker: FrameTaker, maximumLength: number, budget: FrameBudget | null) {
    this.taker = taker;
    this.maximumLength = maximumLength;
    this.budget = budget;
  }

  /** @throws ConnectionError when a frame is malformed or there are too many small ones. */
  push(chunk: Buffer): void {
    this.budget?.refill();
    let at = 0;
    while (at < chunk.length) {
      if (this.headLength < frameHeadLength) {
        at = this.readHead(chunk, at);
        if (this.headLength < frameHeadLength) return;
        this.begin();
        if (this.left > 0) continue;
      } else {
        const end = Math.min(chunk.length, at + this.left);
        this.left -= end - at;
        if (this.type === frameTypes.data) this.takeData(chunk, at, end);
        else this.collect(chunk, at, end);
        at = end;
      }
      if (this.left === 0) this.finish();
    }
  }

  private readHead(chunk: Buffer, from: number): number {
    let at = from;
    while (this.headLength < frameHeadLength && at < chunk.length)
      this.head[this.headLength++] = chunk[at++] as number;
    return at;
  }

  private begin(): void {
    const { head } = this;
    this.left = ((head[0] as number) << 16) | ((head[1] as number) << 8) | (head[2] as number);
    this.type = head[3] as number;
    this.flags = head[4] as number;
    this.streamId =
      (((head[5] as number) & 0x7f) << 24) |
      ((head[6] as number) << 16) |
      ((head[7] as number) << 8) |
      (head[8] as number);
    if (this.left > this.maximumLength)
      throw new ConnectionError(errorCodes.frameSizeError, 'a frame is longer than the limit');
    this.budget?.spend(this.type, this.left);
    this.padding = 0;
    if (this.type !== frameTypes.data) return;
    if (this.streamId === 0) throw new ConnectionError(errorCodes.protocolError, 'DATA without a stream');
    if (this.flags & flags.padded) {
      if (this.left === 0) throw new ConnectionError(errorCodes.frameSizeError, 'padding without a length');
      this.padding = undefined;
    }
    this.taker.onDataBegin(this.streamId, this.left);
  }

  private takeData(chunk: Buffer, from: number, end: number): void {
    let at = from;
    if (this.padding === undefined) {
      this.padding = chunk[at] as number;
      at += 1;
      const rest = this.left + end - at;
      if (this.padding > rest)
        throw new ConnectionError(errorCodes.protocolError, 'more padding than payload');
    }
    // Of what is left after this piece the padding is the last part.
    const contentEnd = Math.min(end, end + this.left - this.padding);
    if (contentEnd > at) this.taker.onData(this.streamId, chunk.subarray(at, contentEnd));
  }

  private collect(chunk: Buffer, from: number, end: number): void {
    if (this.left === 0 && !this.collected) {
      this.collected = chunk.subarray(from, end);
      return;
    }
    // In one buffer: many small pieces would take far more memory than their bytes.
    this.collected ??= Buffer.allocUnsafeSlow(end - from + this.left);
    this.collectedBytes += chunk.copy(this.collected, this.collectedBytes, from, end);
  }

  private finish(): void {
    this.headLength = 0;
    if (this.type === frameTypes.data) {
      this.taker.onDataEnd(this.streamId, (this.flags & flags.endStream) !== 0);
      return;
    }
    const payload = this.collected ?? empty;
    this.collected = undefined;
    this.collectedBytes = 0;
    this.taker.onFrame({ type: this.type, flags: this.flags, streamId: this.streamId, payload });
  }
}
