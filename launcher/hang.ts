/** How long a part may be silent before it counts as hanging: `asks` unanswered ones in a row, each this long. */
export interface Patience {
  readonly askMs: number;
  readonly asks: number;
  /** How long it may take until it works; a store that takes longer is waited for, and that is said. */
  readonly readyMs?: number;
  /** How long a store may do nothing before it works, until it counts as hanging. */
  readonly idleMs?: number;
}

/** Eight seconds: more than a garbage collection or a full disk cache takes, less than a person waits. */
export const usualPatience: Patience = { askMs: 2_000, asks: 4 };
/** A process at a breakpoint does not respond, and is not hanging. */
export const whileDebugging: Patience = {
  ...usualPatience,
  asks: Number.POSITIVE_INFINITY,
  readyMs: 86_400_000,
};

/**
 * Asks a part for a sign of life, again and again, until it has been silent for too long. Unanswered asks are counted
 * rather than seconds: a machine that slept, or a launcher that was stopped, finds nobody hanging afterwards.
 * @param ask resolves when the part has responded, with any response
 * @returns true when the part hangs; false when `signal` ended the watch
 */
export async function untilSilent(
  ask: (signal: AbortSignal) => Promise<unknown>,
  { askMs, asks }: Patience,
  signal: AbortSignal,
): Promise<boolean> {
  for (let silent = 0; silent < asks; ) {
    const turn = AbortSignal.any([signal, AbortSignal.timeout(askMs)]);
    const responds = await isResponding(ask, turn);
    silent = responds ? 0 : silent + 1;
    // Refused at once is no response either, and no reason to ask faster.
    await untilAborted(turn);
    if (signal.aborted) return false;
  }
  return true;
}

async function isResponding(ask: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal) {
  const asked = ask(signal).then(
    () => true,
    () => false,
  );
  return Promise.race([asked, untilAborted(signal).then(() => false)]);
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
