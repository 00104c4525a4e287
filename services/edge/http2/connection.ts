import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { FrameBudget } from '../frame-budget.ts';
import { ConnectionError, errorCodes, StreamError } from './errors.ts';
import { checkPriority, expectLength, protocolError, readReset, withoutPadding } from './frame-checks.ts';
import { type Frame, FrameReader, type FrameTaker } from './frame-reader.ts';
import {
  defaultFrameSize,
  defaultWindow,
  flags,
  frameTypes,
  goAway,
  headersFrames,
  maximumFrameSize,
  maximumWindow,
  pingFrame,
  preface,
  resetStream,
  settingIds,
  settingsAck,
  settingsFrame,
  windowUpdate,
} from './frames.ts';
import type { Head } from './head.ts';
import { HeaderBlock, headOf, maximumBlock } from './header-block.ts';
import { encodeFields, type Fields } from './hpack/encode.ts';
import { Output } from './output.ts';
import { SendQueue } from './send-queue.ts';
import { RequestStream, type StreamConnection, type StreamReceiver } from './stream.ts';

/** Bytes that a peer may have under way on one stream, and on all together. */
const streamWindow = 1_048_576;
const connectionWindow = 16 * streamWindow;
const maximumPayload = 65_536;
/** What has been written is on its way by then. */
const farewellMs = 500;
const maximumPings = 16;
/** Bytes that a peer has not taken; more of them end the connection. */
const maximumUnsent = { ofConnector: 4_194_304, ofEdge: 67_108_864 };

export interface ConnectionOptions {
  /**
   * The peer is another edge. It limits its connectors itself, and requests of all tunnels share the connection: it must not end for
   * what a single connector or visitor does.
   */
  readonly isEdge?: boolean;
}

/**
 * The client's side of an HTTP/2 connection (RFC 9113), on a socket that either side may have opened. The peer is not trusted: a fault
 * of a stream ends that stream, a fault of the connection ends the connection, and everything that is kept for a peer is bounded.
 * It emits `close` once, when nothing arrives any more.
 */
export class Http2Connection extends EventEmitter<{ close: [] }> implements FrameTaker, StreamConnection {
  /** No request can be opened any more: the peer or we said good-bye. */
  closed = false;
  destroyed = false;
  /** Why it ended, if it did not end as it should. */
  error: Error | undefined;
  readonly gathering: RequestStream[] = [];
  private readonly socket: Duplex;
  private readonly output: Output;
  private readonly queue: SendQueue;
  private readonly reader: FrameReader;
  private readonly streams = new Map<number, RequestStream>();
  private nextId = 1;
  private hasSettings = false;
  private block: HeaderBlock | undefined;
  /** The stream whose DATA is being read; undefined: its content is dropped. */
  private reading: RequestStream | undefined;
  private readingOverhead = 0;
  private receivedBytes = 0;
  private peerWindow = defaultWindow;
  private peerFrameSize = defaultFrameSize;
  private peerStreams = Number.POSITIVE_INFINITY;
  private pings = new Map<string, () => void>();
  private pingNumber = 0;

  constructor(socket: Duplex, { isEdge = false }: ConnectionOptions = {}) {
    super();
    this.socket = socket;
    this.reader = new FrameReader(this, maximumPayload, isEdge ? null : new FrameBudget());
    this.output = new Output(
      socket,
      () => this.queue.pump(this.peerFrameSize),
      isEdge ? maximumUnsent.ofEdge : maximumUnsent.ofConnector,
      () => this.destroy(new ConnectionError(errorCodes.enhanceYourCalm, 'the peer does not read')),
    );
    this.queue = new SendQueue(this.output);
    this.output.add(
      preface +
        settingsFrame([
          // Without a table every head stands alone, and one that is too large can be dropped.
          [settingIds.headerTableSize, 0],
          [settingIds.enablePush, 0],
          [settingIds.initialWindowSize, streamWindow],
          [settingIds.maxFrameSize, maximumPayload],
          [settingIds.maxHeaderListSize, maximumBlock],
        ]) +
        windowUpdate(0, connectionWindow - defaultWindow),
    );
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    // Half a connection is none.
    socket.once('end', () => this.destroy());
    socket.on('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
  }

  /**
   * Opens a request.
   * @param whenClosed called first of all when the stream has closed, for whatever reason.
   * @throws Error when the connection takes no more, or a field cannot be sent.
   */
  request(
    fields: Fields,
    receiver: StreamReceiver,
    options: { readonly endStream: boolean },
    whenClosed?: () => void,
  ): RequestStream {
    if (this.closed || this.streams.size >= this.peerStreams || this.nextId > maximumWindow)
      throw new Error('the connection takes no more requests');
    const block = encodeFields(fields);
    const id = this.nextId;
    this.nextId += 2;
    const windows = { receive: streamWindow, send: this.peerWindow };
    const stream = new RequestStream(id, this, receiver, windows, options.endStream, whenClosed);
    this.streams.set(id, stream);
    this.sendHead(id, block, options.endStream);
    return stream;
  }

  /** How many requests run. */
  get openStreams(): number {
    return this.streams.size;
  }

  /** @param responded called when the peer has responded; never, if it does not. */
  ping(responded: () => void): void {
    if (this.destroyed || this.pings.size >= maximumPings) return;
    this.pingNumber += 1;
    const payload = String(this.pingNumber % 100_000_000).padStart(8, '0');
    this.pings.set(payload, responded);
    this.send(pingFrame(payload, false));
  }

  /** Opens no more requests, and ends the connection when those that run have ended. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.send(goAway(0, errorCodes.noError));
    this.endIfEmpty();
  }

  /** Ends the connection and everything on it at once. The peer is sent why, if its socket takes it. */
  destroy(error?: Error): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.closed = true;
    this.error = error;
    const code = error instanceof ConnectionError ? error.code : errorCodes.noError;
    this.send(goAway(0, code));
    this.output.flush();
    const timer = setTimeout(() => this.socket.destroy(), farewellMs);
    this.socket.once('close', () => clearTimeout(timer));
    this.socket.end(() => this.socket.destroy());
    for (const stream of [...this.streams.values()]) stream.lose(false);
    this.emit('close');
  }

  // What streams ask of it.

  send(frames: string): void {
    this.output.add(frames);
  }

  sendPayload(head: string, payload: Buffer): void {
    this.output.addPayload(head, payload);
  }

  sendHead(streamId: number, block: string, endsStream: boolean): void {
    this.output.add(headersFrames(streamId, block, endsStream, this.peerFrameSize));
  }

  wantsToSend(stream: RequestStream): void {
    this.queue.add(stream);
  }

  forget(stream: RequestStream): void {
    this.streams.delete(stream.id);
    this.queue.remove(stream);
    if (this.closed) this.endIfEmpty();
  }

  private endIfEmpty(): void {
    if (this.streams.size > 0 || this.destroyed) return;
    this.output.flush();
    this.socket.end();
  }

  // What arrives.

  private take(chunk: Buffer): void {
    if (this.destroyed) return;
    try {
      this.reader.push(chunk);
      if (this.gathering.length > 0) for (const stream of this.gathering.splice(0)) stream.giveGathered();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  onFrame(frame: Frame): void {
    const { type, streamId } = frame;
    if (!this.hasSettings && (type !== frameTypes.settings || frame.flags & flags.ack))
      throw protocolError('the first frame is no SETTINGS');
    if (this.block && (type !== frameTypes.continuation || streamId !== this.block.streamId))
      throw protocolError('a frame within a head');
    if (type === frameTypes.headers) this.onHeaders(frame);
    else if (type === frameTypes.continuation) this.onContinuation(frame);
    else if (type === frameTypes.settings) this.onSettings(frame);
    else if (type === frameTypes.windowUpdate) this.onWindowUpdate(frame);
    else if (type === frameTypes.resetStream) this.onReset(frame);
    else if (type === frameTypes.ping) this.onPing(frame);
    else if (type === frameTypes.goAway) this.onGoAway(frame);
    else if (type === frameTypes.priority) checkPriority(frame);
    else if (type === frameTypes.pushPromise) throw protocolError('a push that was not allowed');
    // Unknown types are ignored (RFC 9113, 4.1).
  }

  private onHeaders(frame: Frame): void {
    const { streamId } = frame;
    this.checkStream(streamId);
    const part = withoutPadding(frame);
    const endsStream = (frame.flags & flags.endStream) !== 0;
    if (frame.flags & flags.endHeaders) {
      this.takeHead(streamId, part, endsStream);
      return;
    }
    this.block = new HeaderBlock(streamId, endsStream);
    this.block.add(part);
  }

  private onContinuation({ payload, flags: flag }: Frame): void {
    const { block } = this;
    if (!block) throw protocolError('a part of no head');
    block.add(payload);
    if ((flag & flags.endHeaders) === 0) return;
    this.block = undefined;
    this.takeHead(block.streamId, block.whole, block.endsStream);
  }

  /** @param block null when it was above the limit. */
  private takeHead(streamId: number, block: Buffer | null, endsStream: boolean): void {
    const stream = this.streams.get(streamId);
    if (!stream) return;
    this.guard(streamId, () => {
      stream.takeHead((isTrailers) => headOf(block, isTrailers), endsStream);
      stream.closeIfDone();
    });
  }

  onDataBegin(streamId: number, bytes: number): void {
    if (!this.hasSettings) throw protocolError('the first frame is no SETTINGS');
    if (this.block) throw protocolError('a frame within a head');
    this.checkStream(streamId);
    this.countReceived(bytes);
    const stream = this.streams.get(streamId);
    this.reading = stream;
    this.readingOverhead = bytes;
    if (stream && !this.guard(streamId, () => stream.beginData(bytes))) this.reading = undefined;
  }

  onData(_streamId: number, piece: Buffer): void {
    this.readingOverhead -= piece.length;
    if (this.reading && !this.reading.isClosed) this.reading.takeData(piece);
  }

  onDataEnd(_streamId: number, endsStream: boolean): void {
    const { reading } = this;
    this.reading = undefined;
    if (!reading || reading.isClosed) return;
    reading.endData(this.readingOverhead, endsStream);
    reading.closeIfDone();
  }

  /**
   * The connection's window is given back as bytes arrive: what is kept for a stream is bounded by the stream's window. So a peer can
   * never exceed it.
   */
  private countReceived(bytes: number): void {
    this.receivedBytes += bytes;
    if (this.receivedBytes < connectionWindow / 4) return;
    this.send(windowUpdate(0, this.receivedBytes));
    this.receivedBytes = 0;
  }

  private onSettings(frame: Frame): void {
    if (frame.streamId !== 0) throw protocolError('SETTINGS of a stream');
    const { payload } = frame;
    if (frame.flags & flags.ack ? payload.length > 0 : payload.length % 6 !== 0)
      throw new ConnectionError(errorCodes.frameSizeError, 'SETTINGS of a wrong length');
    if (frame.flags & flags.ack) return;
    this.hasSettings = true;
    const before = this.peerWindow;
    for (let at = 0; at < payload.length; at += 6)
      this.applySetting(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    this.growStreams(this.peerWindow - before);
    this.send(settingsAck);
  }

  /** Once for each frame: it may set the window a thousand times. */
  private growStreams(change: number): void {
    if (change === 0) return;
    for (const stream of [...this.streams.values()])
      this.guard(stream.id, () => stream.growSendWindow(change));
  }

  private applySetting(id: number, value: number): void {
    if (id === settingIds.initialWindowSize) {
      if (value > maximumWindow)
        throw new ConnectionError(errorCodes.flowControlError, 'a window that is too large');
      this.peerWindow = value;
    } else if (id === settingIds.maxFrameSize) {
      if (value < defaultFrameSize || value > maximumFrameSize) throw protocolError('an invalid frame size');
      this.peerFrameSize = value;
    } else if (id === settingIds.maxConcurrentStreams) this.peerStreams = value;
    else if (id === settingIds.enablePush && value !== 0) throw protocolError('a server that allows pushes');
  }

  private onWindowUpdate(frame: Frame): void {
    expectLength(frame, 4);
    const { streamId } = frame;
    const bytes = frame.payload.readUInt32BE(0) & maximumWindow;
    if (streamId !== 0) {
      this.checkStream(streamId);
      const stream = this.streams.get(streamId);
      if (!stream) return;
      this.guard(streamId, () => {
        if (bytes === 0) throw new StreamError(errorCodes.protocolError, 'a window that grows by nothing');
        stream.growSendWindow(bytes);
      });
      return;
    }
    if (bytes === 0) throw protocolError('a window that grows by nothing');
    this.queue.growWindow(bytes);
  }

  private onReset(frame: Frame): void {
    const code = readReset(frame);
    this.checkStream(frame.streamId);
    this.streams.get(frame.streamId)?.takeReset(code);
  }

  private onPing(frame: Frame): void {
    if (frame.streamId !== 0) throw protocolError('PING of a stream');
    expectLength(frame, 8);
    const payload = frame.payload.toString('latin1');
    if ((frame.flags & flags.ack) === 0) {
      this.send(pingFrame(payload, true));
      return;
    }
    const responded = this.pings.get(payload);
    this.pings.delete(payload);
    responded?.();
  }

  private onGoAway(frame: Frame): void {
    if (frame.streamId !== 0) throw protocolError('GOAWAY of a stream');
    if (frame.payload.length < 8)
      throw new ConnectionError(errorCodes.frameSizeError, 'GOAWAY that is too short');
    const last = frame.payload.readUInt32BE(0) & maximumWindow;
    this.closed = true;
    for (const stream of [...this.streams.values()]) if (stream.id > last) stream.lose(true);
    this.endIfEmpty();
  }

  /** @throws ConnectionError when no request has opened that stream. */
  private checkStream(streamId: number): void {
    if (streamId % 2 === 0 || streamId >= this.nextId) throw protocolError('a stream that nobody opened');
  }

  /** Runs what a stream's fault may end. @returns whether there was none. */
  private guard(streamId: number, work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      const stream = this.streams.get(streamId);
      if (!stream) return false;
      this.send(resetStream(streamId, error.code));
      stream.takeReset(error.code);
      return false;
    }
  }
}

export type { Fields, Head, RequestStream, StreamReceiver };
