/** Something that runs for a visitor now. */
export interface Running {
  /** When the last byte moved, by `performance.now()`. */
  lastActivity: number;
  /** Whether the panel has begun to answer. */
  readonly isAnswered: boolean;
  /** Ends it: with a page if nothing was answered yet, else by breaking off. */
  giveUp(): void;
}

export interface TimeSettings {
  readonly EDGE_ANSWER_TIMEOUT_MS: number;
  readonly EDGE_IDLE_TIMEOUT_MS: number;
}

/** How long the last pages may take to reach their visitors. */
const goodbyeMs = 500;

/** Everything that runs now: ends what lies still too long, and waits for the rest when the edge stops. */
export function createRunning(settings: TimeSettings) {
  const all = new Set<Running>();
  let whenEmpty = () => {};
  const empty = async (deadlineMs: number) => {
    if (all.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    whenEmpty = resolve;
    const timer = setTimeout(resolve, deadlineMs);
    await promise;
    clearTimeout(timer);
  };

  return {
    add: (one: Running) => void all.add(one),
    remove: (one: Running) => {
      all.delete(one);
      if (all.size === 0) whenEmpty();
    },
    count: () => all.size,
    /** Gives up what has been still for too long. One look at all of them is cheaper than a timer each. */
    sweep(now = performance.now()): void {
      for (const one of all) {
        const allowed = one.isAnswered ? settings.EDGE_IDLE_TIMEOUT_MS : settings.EDGE_ANSWER_TIMEOUT_MS;
        if (now - one.lastActivity > allowed) one.giveUp();
      }
    },
    /** Resolves when nothing runs any more; what still runs after `deadlineMs` is given up. */
    async drain(deadlineMs: number): Promise<void> {
      await empty(deadlineMs);
      for (const one of all) one.giveUp();
      await empty(goodbyeMs);
    },
  };
}
export type RunningSet = ReturnType<typeof createRunning>;
