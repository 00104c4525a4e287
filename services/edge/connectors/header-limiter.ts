import { FrameBudget } from '../frame-budget.ts';

/** What stands in the place of a head that was taken out. */
export const oversizedHeader = 'x-talpa-head-too-large';

/** One HPACK string may have so many bytes; nghttp2 ends the whole connection for a longer one. */
const maximumBlock = 65_536;
/** As many frames may follow a head's first; nghttp2 ends the connection for more. */
const maximumContinuations = 8;
/** A connector that sends more than this in one head is cut. */
const maximumDropped = 33_554_432;
/** The same for one that sends so many frames in one head, which may be empty. */
const maximumFrames = 8_192;
const frameHead = 9;
const headers = 0x1;
const continuation = 0x9;
const endStream = 0x1;
const endHeaders = 0x4;
/** HPACK: from now on the sender's table has no entries. */
const tableSizeZero = 0x20;

/** A head that comes in several frames. */
interface Block {
  readonly streamId: number;
  readonly endsStream: boolean;
  /** The first byte of its HPACK block. */
  first: number | undefined;
  bytes: number;
  continuations: number;
  /** Its last frame has begun. */
  isLast: boolean;
  /** Null once it is too large. */
  held: Buffer[] | null;
}

/**
 * Watches the frames a connector sends and replaces a head that would end the connection by a short one
 * that says so. This is possible because we announce to the connector an HPACK table of size 0: heads stand alone.
 */
export class HeaderLimiter {
  private rest: Buffer = Buffer.alloc(0);
  /** Bytes of the present frame that are still to come. */
  private left = 0;
  private block: Block | null = null;
  private readonly pass: (bytes: Buffer) => void;
  private readonly budget: FrameBudget;

  constructor(pass: (bytes: Buffer) => void, budget = new FrameBudget()) {
    this.pass = pass;
    this.budget = budget;
  }

  /** @throws Error when a head has no end, or when there are too many small frames. */
  take(chunk: Buffer): void {
    this.budget.refill();
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    this.rest = bytes.subarray(0, 0);
    /** Everything from here on is passed on as one piece, until a head has to be held. */
    let from = 0;
    let at = 0;
    const passTo = (end: number) => {
      if (end > from) this.put(bytes.subarray(from, end));
      from = end;
    };
    while (at < bytes.length) {
      if (this.left > 0) {
        if (this.block) this.block.first ??= bytes[at];
        const count = Math.min(this.left, bytes.length - at);
        this.left -= count;
        at += count;
      } else if (bytes.length - at < frameHead) {
        passTo(at);
        this.rest = bytes.subarray(at);
        return;
      } else {
        if (this.begins(bytes, at)) passTo(at);
        this.left = bytes.readUIntBE(at, 3);
        this.enter(bytes, at);
        at += frameHead;
      }
      if (this.left === 0 && this.block?.isLast) {
        passTo(at);
        this.finish(this.block);
      }
    }
    passTo(at);
  }

  private begins(bytes: Buffer, at: number): boolean {
    const [type, flags] = [bytes[at + 3], bytes[at + 4] ?? 0];
    return this.block === null && type === headers && (flags & endHeaders) === 0;
  }

  private enter(bytes: Buffer, at: number): void {
    const [type = 0, flags = 0] = [bytes[at + 3], bytes[at + 4]];
    this.budget.spend(type, this.left);
    if (this.begins(bytes, at)) {
      this.block = {
        streamId: bytes.readUInt32BE(at + 5) & 0x7fff_ffff,
        endsStream: (flags & endStream) !== 0,
        first: undefined,
        bytes: 0,
        continuations: 0,
        isLast: false,
        held: [],
      };
    } else if (this.block) {
      // Nothing may come between; nghttp2 says so.
      this.block.isLast = type !== continuation || (flags & endHeaders) !== 0;
      this.block.continuations += 1;
    }
    if (this.block) this.grow(this.block);
  }

  private grow(block: Block): void {
    block.bytes += this.left;
    if (block.bytes > maximumBlock || block.continuations > maximumContinuations) block.held = null;
    if (block.bytes > maximumDropped || block.continuations > maximumFrames)
      throw new Error('the connector sent a head without end');
  }

  private put(bytes: Buffer): void {
    if (!this.block) this.pass(bytes);
    else this.block.held?.push(bytes);
  }

  private finish(block: Block): void {
    this.block = null;
    if (block.held) for (const piece of block.held) this.pass(piece);
    else this.pass(replacement(block));
  }
}

/** HPACK of `:status: 502` and the header that says why, as literals that enter no table. */
const replacementFields = Buffer.concat([
  Buffer.from([0x08, 3]),
  Buffer.from('502'),
  Buffer.from([0x00, oversizedHeader.length]),
  Buffer.from(oversizedHeader),
  Buffer.from([1]),
  Buffer.from('1'),
]);

function replacement({ streamId, endsStream, first }: Block): Buffer {
  // A peer that has just emptied its table says so at the beginning of the next head, once.
  const payload =
    first === tableSizeZero
      ? Buffer.concat([Buffer.from([tableSizeZero]), replacementFields])
      : replacementFields;
  const head = Buffer.alloc(frameHead);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = headers;
  head[4] = endHeaders | (endsStream ? endStream : 0);
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}
