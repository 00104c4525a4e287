const firstMs = 250;
const longestMs = 30_000;
const longestParkedMs = 600_000;

/**
 * How long to wait after so many failures in a row: doubling, with jitter, and never less than the
 * provider asks for.
 */
export function backoffMs(failures: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const full = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return Math.round(Math.max(full * (0.5 + random() / 2), retryAfterMs));
}

/** How long what is parked waits, so many failures later: after an outage nobody needs to ask for it. */
export function parkedBackoffMs(failuresSince: number, retryAfterMs = 0): number {
  const full = Math.min(longestMs * 2 ** Math.max(0, failuresSince), longestParkedMs);
  return Math.max(full, retryAfterMs);
}
