import type { IncomingMessage } from 'node:http';
import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { addressKey } from '@talpa/service-kit/address-key';
import { boundedCache } from '@talpa/service-kit/bounded-cache';
import { countedRequests } from '@talpa/service-kit/pipelining';
import { Budget, FrameBudget, largeData, ping, settings } from '../frame-budget.ts';
import { edgeMeter } from '../metrics.ts';
import { Pieces } from '../pieces.ts';
import { cutIfDead, cutSession, resetStream } from './reset.ts';

/** Small pieces of bodies that one address may send in a second, and at once. Each takes 4 to 8 µs before we see it. */
const piecesPerSecond = 25_000;
/**
 * Bytes of HTTP/2 that are no body: Node shows us neither frames that grow windows nor empty ones. At once as much as may be under way
 * of a body that is refused.
 */
const overheadPerSecond = 2_097_152;
const overheadAtOnce = 8_388_608;
/** Nobody waits for longer until they are read again. */
const longestDebtMs = 10_000;
/** An address that owes as much gets no further connection: what a connection sends first is read before it is counted. */
const refusedDebtMs = 1_000;
const maximumKnown = 10_000;

/** Requests over HTTP/2 that one address may begin in a second, and at once, as a page with hundreds of pictures. */
const begunPerSecond = 500;

/** What an address, all of its connections together, may send for nothing. */
interface Allowance {
  readonly pieces: Budget;
  readonly begun: Budget;
  readonly overhead: Budget;
  /** The address brings the requests of many visitors; the allowance is its connection's. */
  readonly isShared: boolean;
}
export type AllowanceOf = (socket: Socket) => Allowance;

/** @param isProxy whether an address brings the requests of many visitors. */
export function createAllowances(isProxy: (address: string) => boolean): AllowanceOf {
  const known = boundedCache<string, Allowance>(maximumKnown);
  const shared = new WeakMap<Socket, Allowance>();
  const create = (isShared: boolean): Allowance => ({
    pieces: new Budget(piecesPerSecond, piecesPerSecond),
    begun: new Budget(begunPerSecond, begunPerSecond),
    overhead: new Budget(overheadPerSecond, overheadAtOnce),
    isShared,
  });
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) {
      const own = shared.get(socket) ?? create(true);
      shared.set(socket, own);
      return own;
    }
    const key = addressKey(address);
    const own = known.get(key) ?? create(false);
    known.set(key, own);
    return own;
  };
}

type Push = (chunk: Buffer | null) => boolean;

/**
 * Joins the small pieces of one turn of the event loop: each costs as much as a large one on its way. The first of a turn goes on at
 * once, and what follows before that turn's output leaves.
 */
function joining(push: Push): Push {
  const waiting = new Pieces();
  let isJoining = false;
  const give = () => {
    for (const piece of waiting.takeAll()) push(piece);
  };
  return (chunk) => {
    if (chunk !== null && chunk.length < largeData) {
      if (isJoining) {
        waiting.add(chunk);
        return true;
      }
      isJoining = true;
      setImmediate(() => {
        isJoining = false;
        give();
      });
    } else give();
    return push(chunk);
  };
}

/** Whether an address sends so much for nothing that a new connection of it is refused. */
export const owesTooMuch = ({ pieces, begun, isShared }: Allowance): boolean =>
  !isShared && (pieces.owedMs > refusedDebtMs || begun.owedMs > refusedDebtMs);

/**
 * Whether a request over HTTP/2 may begin, before anything is made for it: one that is reset at once costs the peer 26 bytes. Browsers
 * repeat what is refused so.
 */
export function mayBegin(stream: ServerHttp2Stream, allowanceOf: AllowanceOf): boolean {
  const { session } = stream;
  // What is refused ends with an error that has no other listener.
  stream.once('error', () => {});
  if (!session || session.destroyed) return false;
  const { begun, isShared } = allowanceOf(session.socket as Socket);
  if (isShared || begun.take(1)) return true;
  if (begun.owedMs > refusedDebtMs) {
    edgeMeter.limited('flood');
    cutSession(session);
  } else stream.close(constants.NGHTTP2_REFUSED_STREAM);
  return false;
}

/**
 * Makes the class of HTTP/1.1 requests: an address that sends too many small chunks is read no faster than its budget is restored, and
 * is cut if it owes too much.
 */
export function countedMessages(allowanceOf: AllowanceOf): typeof IncomingMessage {
  return class extends countedRequests() {
    private pieces: Budget | undefined;
    private isWaiting = false;
    /** Most requests have no small piece. */
    private join: Push | undefined;

    override push(chunk: Buffer | null): boolean {
      const isSmall = chunk !== null && chunk.length < largeData;
      if (!isSmall && !this.join) return super.push(chunk);
      this.join ??= joining((piece) => super.push(piece));
      const isWithin = !isSmall || this.takePiece();
      return this.join(chunk) && isWithin;
    }

    override _read(size: number): void {
      const owedMs = this.pieces?.owedMs ?? 0;
      if (owedMs === 0) return void super._read(size);
      if (this.isWaiting) return;
      this.isWaiting = true;
      setTimeout(() => {
        this.isWaiting = false;
        if (!this.destroyed) super._read(size);
      }, owedMs).unref();
    }

    /** What follows a response that did not wait for it: Node itself would read it at full speed, past `push`. */
    _dump(): void {
      this.removeAllListeners('data');
      this.resume();
    }

    private takePiece(): boolean {
      this.pieces ??= allowanceOf(this.socket).pieces;
      if (this.pieces.take(1)) return true;
      if (this.pieces.owedMs > longestDebtMs && !this.socket.destroyed) {
        edgeMeter.limited('flood');
        this.socket.destroy();
      }
      return false;
    }
  };
}

/** Watches the HTTP/2 connection of a visitor, and cuts it when it floods or is dead. @returns what to call several times a second */
export function watchSession(session: ServerHttp2Session, allowanceOf: AllowanceOf): () => void {
  const { pieces, overhead, isShared } = allowanceOf(session.socket as Socket);
  const cut = () => {
    if (session.destroyed) return;
    edgeMeter.limited('flood');
    cutSession(session);
  };
  // Node itself responds to as many as arrive.
  const frames = new FrameBudget();
  const spend = (type: number) => {
    try {
      frames.spend(type);
    } catch {
      cut();
    }
  };
  session.on('ping', () => spend(ping));
  session.on('remoteSettings', () => spend(settings));
  let bodies = 0;
  const streams = new Set<ServerHttp2Stream>();
  session.on('stream', (stream: ServerHttp2Stream) => {
    streams.add(stream);
    stream.once('close', () => streams.delete(stream));
    const push: Push = (chunk) => Readable.prototype.push.call(stream, chunk);
    let join: Push | undefined;
    stream.push = (chunk: Buffer | null) => {
      if (chunk !== null) bodies += chunk.length;
      const isSmall = chunk !== null && chunk.length < largeData;
      if (isSmall && !pieces.take(1)) {
        // Unlike a chunk of HTTP/1.1 a frame cannot be left in the socket.
        if (!isShared) cut();
        else resetStream(stream, constants.NGHTTP2_ENHANCE_YOUR_CALM);
        return false;
      }
      if (isSmall) join ??= joining(push);
      return (join ?? push)(chunk);
    };
  });
  let counted = 0;
  return () => {
    for (const { writableLength } of streams)
      if (writableLength > 0) {
        cutIfDead(session);
        break;
      }
    if (isShared || session.destroyed) return;
    // A sixteenth: heads of frames and records of an upload.
    const spent = session.socket.bytesRead - bodies - bodies / 16;
    if (!overhead.take(Math.max(0, spent - counted))) cut();
    counted = spent;
  };
}
