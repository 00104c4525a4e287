/** Longer than a call that nobody waits for can go on having effects while nothing is held up: the longest deadline, and some. */
export const doubtMs = 16_000;

/** What holds things up: a commit that waits for a standby may come at any time until that is back. */
export interface Disturbance {
  /** When it ended, in ms since the epoch; infinite while it lasts, 0: there was none. */
  disturbedUntil: number;
}

/** Does what holds things up. Nothing that was in doubt meanwhile is settled before it has ended. */
export async function disturbing<T>(disturbance: Disturbance, work: () => Promise<T>): Promise<T> {
  disturbance.disturbedUntil = Number.POSITIVE_INFINITY;
  try {
    return await work();
  } finally {
    disturbance.disturbedUntil = Date.now();
  }
}

/**
 * Something that was changed by calls: what it is for certain, or what it may be while the end of a change
 * is not known.
 */
export class Known<T> {
  private values: readonly T[];
  private earlier: readonly T[] = [];
  private doubtedAt = 0;
  private readonly disturbance: Readonly<Disturbance>;

  constructor(value: T, disturbance: Readonly<Disturbance>) {
    this.values = [value];
    this.disturbance = disturbance;
  }

  /** A change was acknowledged. */
  is(value: T): void {
    this.earlier = this.isHeldUp ? this.inProjections : [];
    this.values = [value];
  }

  /** A change to this may have happened, or may still. */
  maybe(value: T): void {
    this.values = [...this.values, value];
    this.doubtedAt = Date.now();
  }

  /** Whether the end of a change is not known: leave it alone until it `mayBeSettled`. */
  get inDoubt(): boolean {
    return this.values.length > 1;
  }

  /** Whether nothing can come after what is seen now. */
  get mayBeSettled(): boolean {
    return this.inDoubt && !this.isHeldUp && Date.now() >= this.doubtedAt + doubtMs;
  }

  /** Everything it may be; without doubt a single value. */
  get possible(): readonly T[] {
    return this.values;
  }

  /** All states that another service may have of it: a change reaches it only when nothing holds up its message. */
  get inProjections(): readonly T[] {
    return this.isHeldUp ? [...this.earlier, ...this.values] : this.values;
  }

  private get isHeldUp(): boolean {
    return Date.now() < this.disturbance.disturbedUntil + doubtMs;
  }
}
