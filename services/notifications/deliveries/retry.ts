const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long to wait after each failure. */
const pausesMs = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs] as const;
/** A receiver may ask for more patience, but not for more than this. */
const longestMs = 12 * hourMs;

/**
 * When a delivery is tried again that has failed so often before; null: it is given up.
 * @param retryAfter what the receiver asks for: seconds, or a moment
 */
export function pauseAfter(
  failuresBefore: number,
  retryAfter: string | undefined,
  now = Date.now(),
): number | null {
  const pause = pausesMs[failuresBefore];
  if (pause === undefined) return null;
  return Math.min(longestMs, Math.max(pause, askedFor(retryAfter, now)));
}

function askedFor(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const ms = /^\d+(\.\d+)?$/.test(retryAfter)
    ? Math.ceil(Number(retryAfter) * secondMs)
    : Date.parse(retryAfter) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
