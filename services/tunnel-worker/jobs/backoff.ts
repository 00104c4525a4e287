const firstMs = 250;
const longestMs = 30_000;
const longestDeadLetterMs = 600_000;

/**
 * How long to wait after so many failures in a row: doubling, with jitter, and never less than the
 * provider asks for.
 */
export function backoffMs(failures: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const full = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return Math.round(Math.max(full * (0.5 + random() / 2), retryAfterMs));
}

/** How long a dead letter waits after so many more failures: after an outage it recovers without an operator. */
export function deadLetterBackoffMs(failuresSince: number, retryAfterMs = 0): number {
  const full = Math.min(longestMs * 2 ** Math.max(0, failuresSince), longestDeadLetterMs);
  return Math.max(full, retryAfterMs);
}
