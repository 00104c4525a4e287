/** Small HTTP/2 frames that a peer may send in a second; it has the budget of two seconds at once. */
export const framesPerSecond = 100_000;
/** A frame that a peer rarely sends, and that may cost a response, counts for so many. */
export const rareFrameCost = 200;
/** DATA of so many bytes does not count: the connection's window bounds it. */
export const largeData = 1_024;

const [data, headers, resetStream, windowUpdate, continuation] = [0x0, 0x1, 0x3, 0x8, 0x9];
/** Frames that ask for a response. */
export const [settings, ping] = [0x4, 0x6];
/** Their number follows from the requests and bytes that we send. */
const frequent: ReadonlySet<number> = new Set([data, headers, resetStream, windowUpdate, continuation]);

/** What may be spent in a second, and somewhat more at once. */
export class Budget {
  private left: number;
  private refilledAt: number;
  private readonly perSecond: number;
  private readonly atOnce: number;
  private readonly now: () => number;

  /** @param now milliseconds of a clock that never goes back. */
  constructor(perSecond: number, atOnce: number, now: () => number = () => performance.now()) {
    this.perSecond = perSecond;
    this.atOnce = atOnce;
    this.left = atOnce;
    this.now = now;
    this.refilledAt = now();
  }

  /** Counts the time that has passed. */
  refill(): void {
    const now = this.now();
    this.left = Math.min(this.atOnce, this.left + ((now - this.refilledAt) / 1_000) * this.perSecond);
    this.refilledAt = now;
  }

  /** @returns whether there was so much at the last refill; what was missing is owed. */
  takeOfRest(cost: number): boolean {
    this.left -= cost;
    return this.left >= 0;
  }

  /** The same, now. */
  take(cost: number): boolean {
    if (this.takeOfRest(cost)) return true;
    this.refill();
    return this.left >= 0;
  }

  /** Milliseconds until nothing is owed. */
  get owedMs(): number {
    if (this.left >= 0) return 0;
    this.refill();
    return Math.max(0, (-this.left / this.perSecond) * 1_000);
  }
}

/**
 * Bounds the small frames that one connection sends. nghttp2 reads millions of them a second, and one connection would take
 * the processor from all others (CVE-2019-9512 and its kind).
 */
export class FrameBudget extends Budget {
  /** @param now milliseconds of a clock that never goes back. */
  constructor(now?: () => number) {
    super(framesPerSecond, 2 * framesPerSecond, now);
  }

  /**
   * To call after `refill` for each piece of bytes.
   * @param bytes of the frame's payload.
   * @throws Error when the peer has used up its budget.
   */
  spend(type: number, bytes = 0): void {
    if (type === data && bytes >= largeData) return;
    if (!this.takeOfRest(frequent.has(type) ? 1 : rareFrameCost))
      throw new Error('the peer sent too many small frames');
  }
}
