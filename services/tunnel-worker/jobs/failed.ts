import type { DesiredProxy, StatusReason } from '@talpa/contracts';
import type { ProviderError } from '../provider/errors.ts';
import type { Result } from '../reconcile/reconcile.ts';
import { backoffMs, deadLetterBackoffMs } from './backoff.ts';
import type { Job } from './claim.ts';
import type { JobContext } from './context.ts';
import { type Goal, generationOf } from './goal.ts';
import { reportOf } from './report.ts';

/**
 * Counts a temporary failure, reports it to proxies with what the run has reached, and retries the job later; after the last attempt it
 * becomes a dead letter.
 * @param result null: the run failed as a whole
 */
export async function failed(
  { log, attempts, report }: JobContext,
  job: Job,
  { desired, required }: Goal,
  error: ProviderError,
  result: Result | null,
): Promise<void> {
  const { serverId } = desired;
  const generation = generationOf(desired);
  const sameAsBefore = job.generation === generation;
  const before = sameAsBefore ? job.failures : 0;
  // A pause the provider asks for is none of the server's failures.
  const failures = error.isRateLimited ? before : before + 1;
  const { message: detail, reason, retryAfterMs } = error;
  log.warn({ serverId, generation, failures, detail }, 'tunnel provider call failed');
  // The desired state has not changed: the resync enqueues it again.
  if (!required) return job.fail({ generation, failures, retryInMs: null });

  const isDeadLetter = (sameAsBefore && job.isDeadLetter) || failures >= attempts || error.withoutRetry;
  if (isDeadLetter && !job.isDeadLetter)
    log.error(
      { serverId, generation, failures, detail },
      'job became a dead letter: run `npm run talpa -- dead-letters list`',
    );
  const kind = isDeadLetter ? 'dead_letter' : 'failing';
  const reasonOf = ({ proxyId, settled }: DesiredProxy): StatusReason | undefined =>
    result ? result.failing.get(proxyId)?.reason : settled ? undefined : reason;
  const ended = new Map(result?.proxies);
  for (const proxy of desired.proxies) {
    const why = reasonOf(proxy);
    if (why) ended.set(proxy.proxyId, { kind, reason: why });
  }
  await report(reportOf(desired, result?.tunnel ?? null, ended)).catch((failure) =>
    log.warn({ err: failure, serverId }, 'job failure could not be reported to proxies'),
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
