/** Small HTTP/2 frames that a peer may send in a second; it has the budget of two seconds at once. */
export const framesPerSecond = 100_000;
/** A frame that a peer rarely sends, and that may cost a response, counts for so many. */
export const rareFrameCost = 200;
/** DATA of so many bytes does not count: the connection's window bounds it. */
export const largeData = 1_024;

const [data, headers, resetStream, windowUpdate, continuation] = [0x0, 0x1, 0x3, 0x8, 0x9];
/** The frame that asks for a response. */
export const ping = 0x6;
/** Their number follows from the requests and bytes that we send. */
const frequent: ReadonlySet<number> = new Set([data, headers, resetStream, windowUpdate, continuation]);

/**
 * Bounds the small frames that one connection sends. nghttp2 reads millions of them a second, and one connection would take
 * the processor from all others (CVE-2019-9512 and its kind).
 */
export class FrameBudget {
  private left = 2 * framesPerSecond;
  private refilledAt: number;
  private readonly now: () => number;

  /** @param now milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
    this.refilledAt = now();
  }

  /** To call once for each piece of bytes, before its frames are counted. */
  refill(): void {
    const now = this.now();
    this.left = Math.min(
      2 * framesPerSecond,
      this.left + ((now - this.refilledAt) / 1_000) * framesPerSecond,
    );
    this.refilledAt = now;
  }

  /**
   * @param bytes of the frame's payload.
   * @throws Error when the peer has used up its budget.
   */
  spend(type: number, bytes = 0): void {
    if (type === data && bytes >= largeData) return;
    this.left -= frequent.has(type) ? 1 : rareFrameCost;
    if (this.left < 0) throw new Error('the peer sent too many small frames');
  }
}
