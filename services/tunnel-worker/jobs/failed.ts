import type { ProviderError } from '../provider/errors.ts';
import { backoffMs, deadLetterBackoffMs } from './backoff.ts';
import type { Job } from './claim.ts';
import type { JobContext } from './context.ts';
import type { Goal } from './goal.ts';

/** Counts a temporary failure, reports it to proxies, and retries the job later; after the last attempt it becomes a dead letter. */
export async function failed(
  { log, attempts, report }: JobContext,
  job: Job,
  { desired, required }: Goal,
  error: ProviderError,
): Promise<void> {
  const { proxyId, generation } = desired;
  const sameAsBefore = job.generation === generation;
  const before = sameAsBefore ? job.failures : 0;
  // A pause the provider asks for is none of the proxy's failures.
  const failures = error.isRateLimited ? before : before + 1;
  const { reason, message: detail, retryAfterMs } = error;
  log.warn({ proxyId, generation, failures, detail }, 'tunnel provider call failed');
  // The desired state has not changed: the resync enqueues it again.
  if (!required) return job.fail({ generation, failures, retryInMs: null });

  const isDeadLetter = (sameAsBefore && job.isDeadLetter) || failures >= attempts || error.withoutRetry;
  if (isDeadLetter && !job.isDeadLetter)
    log.error(
      { proxyId, generation, failures, detail },
      'job became a dead letter: run `npm run talpa -- dead-letters list`',
    );
  await report(proxyId, generation, { kind: isDeadLetter ? 'dead_letter' : 'failing', reason }).catch(
    (failure) => log.warn({ err: failure, proxyId }, 'job failure could not be reported to proxies'),
  );
  const retryInMs = isDeadLetter
    ? deadLetterBackoffMs(failures - attempts, retryAfterMs)
    : backoffMs(Math.max(1, failures), retryAfterMs);
  await job.fail({
    generation,
    failures,
    retryInMs,
    ...(isDeadLetter ? { deadLetter: { reason, detail } } : {}),
  });
}
