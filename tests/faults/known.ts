/** Longer than a call that nobody waits for can go on having effects: the longest deadline, and some. */
const doubtMs = 16_000;

/**
 * Something that was changed by calls: what it is for certain, or what it may be while the end of a change
 * is not known.
 */
export class Known<T> {
  private values: readonly T[];
  private doubtEnds = 0;

  constructor(value: T) {
    this.values = [value];
  }

  /** A change was acknowledged. */
  is(value: T): void {
    this.values = [value];
    this.doubtEnds = 0;
  }

  /** A change to this may have happened, or may still. */
  maybe(value: T): void {
    this.values = [...this.values, value];
    this.doubtEnds = Date.now() + doubtMs;
  }

  /** Whether the end of a change is not known: leave it alone until it `mayBeSettled`. */
  get inDoubt(): boolean {
    return this.values.length > 1;
  }

  /** Whether nothing can come after what is seen now. */
  get mayBeSettled(): boolean {
    return this.inDoubt && Date.now() >= this.doubtEnds;
  }

  /** Everything it may be; without doubt a single value. */
  get possible(): readonly T[] {
    return this.values;
  }
}
