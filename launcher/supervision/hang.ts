import { availableParallelism, loadavg } from 'node:os';

/** How long a part may be silent before it counts as hanging: `asks` unanswered ones in a row, each this long where the machine is not busy. */
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
 * @returns for how many ms it has been silent when it hangs; null when `signal` ended the watch
 */
export async function untilSilent(
  ask: (signal: AbortSignal) => Promise<unknown>,
  { askMs, asks }: Patience,
  signal: AbortSignal,
): Promise<number | null> {
  let silentMs = 0;
  for (let silent = 0; silent < asks; ) {
    const turnMs = Math.round(askMs * slowness());
    const turn = AbortSignal.any([signal, AbortSignal.timeout(turnMs)]);
    const responds = await isResponding(ask, turn);
    silent = responds ? 0 : silent + 1;
    silentMs = responds ? 0 : silentMs + turnMs;
    // Refused at once is no response either, and no reason to ask faster.
    await untilAborted(turn);
    if (signal.aborted) return null;
  }
  return silentMs;
}

/** Where more is to be done than there are processors everything waits: restarting what is merely slow makes that worse. */
const slowness = () => Math.min(4, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));

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
