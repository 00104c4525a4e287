const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long to wait after each failure. */
const pausesMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 24 * hourMs] as const;

/** When an email is tried again that has failed so often before; null: it is given up. */
export const pauseAfter = (failuresBefore: number): number | null => pausesMs[failuresBefore] ?? null;
