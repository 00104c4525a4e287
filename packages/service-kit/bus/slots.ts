/** A bounded number of things at once; the rest waits in order. */
export interface Slots {
  acquire(): Promise<void>;
  release(): void;
  /** How many hold or wait for a slot. */
  readonly load: number;
}

/** @param count how many may hold a slot at once. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    acquire: () => {
      if (free > 0) {
        free -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    release: () => {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
    get load() {
      return count - free + waiting.length;
    },
  };
}
