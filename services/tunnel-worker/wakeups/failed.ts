import type { Lease } from '../leases/hold.ts';
import type { ProviderError } from '../provider/errors.ts';
import { backoffMs, parkedBackoffMs } from './backoff.ts';
import type { Goal } from './goal.ts';
import type { RunContext } from './run.ts';

/** Counts a passing failure, tells the screen, and tries again later; after the last attempt it is parked. */
export async function failed(
  { log, attempts, report }: RunContext,
  lease: Lease,
  { desired, pressing }: Goal,
  error: ProviderError,
): Promise<void> {
  const { proxyId, generation } = desired;
  const sameAsBefore = lease.generation === generation;
  const before = sameAsBefore ? lease.failures : 0;
  // A pause the provider asks for is none of the proxy's failures.
  const failures = error.isRateLimited ? before : before + 1;
  const { reason, message: detail, retryAfterMs } = error;
  log.warn({ proxyId, generation, failures, detail }, 'the provider fails');
  // Nothing is wanted anew: the reconciler comes again.
  if (!pressing) return lease.leave({ generation, failures, retryInMs: null });

  const isParked = (sameAsBefore && lease.isParked) || failures >= attempts || error.parksAtOnce;
  if (isParked && !lease.isParked) log.error({ proxyId, generation, failures, detail }, 'a proxy was parked');
  await report(proxyId, generation, { kind: isParked ? 'parked' : 'failing', reason }).catch((failure) =>
    log.warn({ err: failure, proxyId }, 'a failure could not be reported'),
  );
  const retryInMs = isParked
    ? parkedBackoffMs(failures - attempts, retryAfterMs)
    : backoffMs(Math.max(1, failures), retryAfterMs);
  await lease.leave({ generation, failures, retryInMs, ...(isParked ? { parked: { reason, detail } } : {}) });
}
