import { largeData } from '../frame-budget.ts';
import { Pieces } from '../pieces.ts';
import { errorCodes, StreamError } from './errors.ts';
import { flags, frameHead, frameTypes, maximumWindow, resetStream, windowUpdate } from './frames.ts';
import type { Head } from './head.ts';
import { encodeFields, type Fields } from './hpack/encode.ts';

/** Who takes what arrives on a stream. Nothing is called after `onClose`. */
export interface StreamReceiver {
  onResponse(head: Head): void;
  /** Bytes of the body; valid after the call, too. */
  onData(piece: Buffer): void;
  onTrailers?(trailers: Head): void;
  /** The peer has sent everything. */
  onEnd(): void;
  /** After `write` returned false: there is room again. */
  onDrain?(): void;
  /** Both sides have ended, or the stream was reset, or the connection was lost. */
  onClose(): void;
}

/** What a stream needs of its connection. */
export interface StreamConnection {
  /** Sends frames with what else this turn of the event loop sends. */
  send(frames: string): void;
  sendPayload(head: string, payload: Buffer): void;
  /** @param block of HPACK, as text. */
  sendHead(streamId: number, block: string, endsStream: boolean): void;
  /** It has something to send as soon as windows and socket have room. */
  wantsToSend(stream: RequestStream): void;
  forget(stream: RequestStream): void;
  /** Those that have small pieces to give as soon as all has been read that is there. */
  readonly gathering: RequestStream[];
}

/** Bytes that may wait in a stream until `write` asks for a pause. */
const maximumWaiting = 131_072;
/** Bytes of one stream until another one's turn. */
const turnBytes = 65_536;

/** One request on a connection and its response. */
export class RequestStream {
  readonly id: number;
  /** Why it was reset; 0 if it was not. */
  rstCode: number = errorCodes.noError;
  /** The connection was lost before the stream had ended. */
  isLost = false;
  /** The peer did not act on it: it may be sent again. */
  isRefused = false;
  isClosed = false;
  /** Nothing more can be written. */
  hasEnded = false;
  /** The peer has sent everything, and the receiver has taken it. */
  hasReceivedEnd = false;
  private readonly connection: StreamConnection;
  private readonly receiver: StreamReceiver;
  private readonly receiveLimit: number;
  private readonly whenClosed: (() => void) | undefined;

  private hasResponse = false;
  private hasRemoteEnded = false;
  private isPaused = false;
  /** Small pieces are held until all has been read that is there. */
  private isGathering = false;
  /** What came while it was paused; its size is bounded by the window. */
  private readonly held = new Pieces();
  private heldTrailers: Head | undefined;
  private receiveWindow: number;
  private taken = 0;

  private sendWindow: number;
  private readonly waiting = new Pieces();
  private waitingBytes = 0;
  private trailers: string | undefined;
  private hasSentEnd: boolean;
  private wantsDrain = false;

  /** @param windows bytes that the peer may send, and bytes that we may send, before either is acknowledged. */
  constructor(
    id: number,
    connection: StreamConnection,
    receiver: StreamReceiver,
    windows: { readonly receive: number; readonly send: number },
    hasSentEnd: boolean,
    whenClosed?: () => void,
  ) {
    this.whenClosed = whenClosed;
    this.id = id;
    this.connection = connection;
    this.receiver = receiver;
    this.receiveLimit = windows.receive;
    this.receiveWindow = windows.receive;
    this.sendWindow = windows.send;
    this.hasSentEnd = hasSentEnd;
    this.hasEnded = hasSentEnd;
  }

  // What we send.

  /** @returns whether there is room for more; if not, `onDrain` says when. */
  write(piece: Buffer): boolean {
    if (this.hasEnded || this.isClosed || piece.length === 0) return true;
    if (this.waiting.list.length === 0) this.waiting.list.push(piece);
    else this.waiting.add(piece);
    this.waitingBytes += piece.length;
    this.connection.wantsToSend(this);
    if (this.waitingBytes < maximumWaiting) return true;
    this.wantsDrain = true;
    return false;
  }

  /** Ends our side once everything is sent, with trailers if there are some. @throws RangeError as `encodeFields`. */
  end(trailers?: Fields): void {
    if (this.hasEnded || this.isClosed) return;
    this.trailers = trailers && encodeFields(trailers);
    this.hasEnded = true;
    this.connection.wantsToSend(this);
  }

  /** Ends both sides at once. `onClose` follows after the present call. */
  reset(code: number): void {
    if (this.isClosed) return;
    this.connection.send(resetStream(this.id, code));
    this.rstCode = code;
    this.close();
    queueMicrotask(() => this.receiver.onClose());
  }

  /** Whether it has something that the windows let it send. */
  get isReady(): boolean {
    if (this.isClosed || this.hasSentEnd) return false;
    return this.waitingBytes > 0 ? this.sendWindow > 0 : this.hasEnded;
  }

  /**
   * Sends some of what waits.
   * @param room bytes that the connection's window has.
   * @returns how many bytes were sent.
   */
  sendSome(room: number, maximumFrame: number): number {
    const waiting = this.waiting.list;
    let left = Math.min(room, turnBytes, this.sendWindow);
    const before = left;
    while (left > 0 && waiting.length > 0) {
      const first = waiting[0] as Buffer;
      const length = Math.min(first.length, left, maximumFrame);
      if (length === first.length) waiting.shift();
      else waiting[0] = first.subarray(length);
      left -= length;
      this.waitingBytes -= length;
      const isLast = this.hasEnded && waiting.length === 0 && !this.trailers;
      this.sendData(first.subarray(0, length), isLast);
    }
    const sent = before - left;
    this.sendWindow -= sent;
    if (waiting.length === 0 && this.hasEnded && !this.hasSentEnd) this.sendEnd();
    return sent;
  }

  /** To call after a turn of sending, when nothing runs that it could disturb. */
  drainIfRoom(): void {
    if (!this.wantsDrain || this.isClosed || this.waitingBytes >= maximumWaiting / 2) return;
    this.wantsDrain = false;
    this.receiver.onDrain?.();
  }

  private sendData(piece: Buffer, isLast: boolean): void {
    const head = frameHead(piece.length, frameTypes.data, isLast ? flags.endStream : 0, this.id);
    this.connection.sendPayload(head, piece);
    if (isLast) this.hasSentEnd = true;
  }

  private sendEnd(): void {
    if (this.trailers) this.connection.sendHead(this.id, this.trailers, true);
    else this.connection.send(frameHead(0, frameTypes.data, flags.endStream, this.id));
    this.hasSentEnd = true;
  }

  /** To call when what it has sent is on its way. */
  closeIfDone(): void {
    if (this.isClosed || !this.hasSentEnd || !this.hasReceivedEnd) return;
    this.close();
    this.receiver.onClose();
  }

  /** @throws StreamError when the peer lets us send more than HTTP/2 can count. */
  growSendWindow(bytes: number): void {
    this.sendWindow += bytes;
    if (this.sendWindow > maximumWindow)
      throw new StreamError(errorCodes.flowControlError, 'a window that is too large');
    if (this.isReady) this.connection.wantsToSend(this);
  }

  // What we receive.

  /** Takes nothing more until `resume`; the peer sends at most a window meanwhile. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.giveHeld();
  }

  /** @throws StreamError when it must not come now. */
  takeHead(read: (isTrailers: boolean) => Head, endsStream: boolean): void {
    if (this.hasRemoteEnded) throw new StreamError(errorCodes.streamClosed, 'a head after the end');
    const head = read(this.hasResponse);
    if (this.hasResponse) {
      if (!endsStream) throw new StreamError(errorCodes.protocolError, 'trailers that are not the end');
      this.heldTrailers = head;
    } else if ((head[':status'] as string).startsWith('1')) {
      // Informational: the response follows.
      if (endsStream) throw new StreamError(errorCodes.protocolError, 'an informational head as the end');
      return;
    } else {
      this.hasResponse = true;
      this.receiver.onResponse(head);
    }
    if (endsStream) this.takeEnd();
  }

  /** Counts what a DATA frame takes of the window. @throws StreamError when it must not come now. */
  beginData(bytes: number): void {
    if (!this.hasResponse) throw new StreamError(errorCodes.protocolError, 'a body before its head');
    if (this.hasRemoteEnded) throw new StreamError(errorCodes.streamClosed, 'a body after its end');
    this.receiveWindow -= bytes;
    if (this.receiveWindow < 0) throw new StreamError(errorCodes.flowControlError, 'more than the window');
  }

  /** A small piece is given by `giveGathered`, joined with those that follow it. */
  takeData(piece: Buffer): void {
    const isLarge = piece.length >= largeData;
    if (isLarge && this.held.list.length > 0 && !this.isPaused) this.giveHeld();
    if (this.isClosed) return;
    if (isLarge && !this.isPaused) this.give(piece);
    else this.hold(piece);
  }

  /** Gives what has come in small pieces. To call when all has been read that is there. */
  giveGathered(): void {
    this.isGathering = false;
    if (!this.isPaused && !this.isClosed) this.giveHeld();
  }

  private hold(piece: Buffer): void {
    if (!this.isPaused && this.held.list.length === 0) this.held.list.push(piece);
    else this.held.add(piece);
    if (this.isPaused || this.isGathering) return;
    this.isGathering = true;
    this.connection.gathering.push(this);
  }

  /** @param overhead bytes of the window that were padding. */
  endData(overhead: number, endsStream: boolean): void {
    if (endsStream) this.takeEnd();
    else if (overhead > 0) this.credit(overhead);
  }

  /** The peer has reset it. */
  takeReset(code: number): void {
    this.giveGathered();
    if (this.isClosed) return;
    const isWhole = code === errorCodes.noError && this.hasRemoteEnded;
    // It needs no more of the request.
    if (isWhole && !this.hasReceivedEnd) return void this.keepResponse();
    this.rstCode = isWhole ? errorCodes.noError : code || errorCodes.cancel;
    this.isRefused = code === errorCodes.refusedStream;
    this.close();
    this.receiver.onClose();
  }

  /** The connection is gone. @param isRefused the peer never acted on this stream. */
  lose(isRefused: boolean): void {
    this.giveGathered();
    if (this.isClosed) return;
    if (this.hasRemoteEnded && !this.hasReceivedEnd) {
      this.connection.forget(this);
      this.keepResponse();
      return;
    }
    this.isLost = true;
    this.isRefused = isRefused;
    this.rstCode = isRefused ? errorCodes.refusedStream : errorCodes.cancel;
    this.close();
    this.receiver.onClose();
  }

  /** All of the response is here: it is still taken. Nothing more is sent. */
  private keepResponse(): void {
    this.hasEnded = true;
    this.hasSentEnd = true;
    this.dropWaiting();
  }

  private takeEnd(): void {
    this.hasRemoteEnded = true;
    if (!this.isClosed && !this.isPaused && this.held.list.length === 0) this.giveEnd();
  }

  private give(piece: Buffer): void {
    this.credit(piece.length);
    this.receiver.onData(piece);
  }

  private giveHeld(): void {
    const held = this.held.list;
    let given = 0;
    while (given < held.length && !this.isPaused && !this.isClosed) this.give(held[given++] as Buffer);
    held.splice(0, given);
    if (held.length > 0 || this.isPaused || this.isClosed) return;
    if (this.hasRemoteEnded && !this.hasReceivedEnd) {
      this.giveEnd();
      this.closeIfDone();
    }
  }

  private giveEnd(): void {
    if (this.heldTrailers) this.receiver.onTrailers?.(this.heldTrailers);
    if (this.isClosed) return;
    this.hasReceivedEnd = true;
    this.receiver.onEnd();
  }

  /** Lets the peer send as much again, in few and large steps. */
  private credit(bytes: number): void {
    this.taken += bytes;
    if (this.taken < this.receiveLimit / 2 || this.hasRemoteEnded) return;
    this.connection.send(windowUpdate(this.id, this.taken));
    this.receiveWindow += this.taken;
    this.taken = 0;
  }

  private close(): void {
    this.isClosed = true;
    this.held.takeAll();
    this.dropWaiting();
    this.connection.forget(this);
    this.whenClosed?.();
  }

  private dropWaiting(): void {
    this.waiting.takeAll();
    this.waitingBytes = 0;
  }
}
