import type { DesiredTunnel, Outcome } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/connect';
import { RetryLater } from '@talpa/service-kit/events/consume';
import type { Log } from '@talpa/service-kit/log';
import { converge } from '../converge/converge.ts';
import { holdLease, type Lease } from '../leases/hold.ts';
import { createProvider, type ProviderSettings } from '../provider/client.ts';
import { isProviderError, type ProviderError } from '../provider/errors.ts';
import { insertRun } from '../runs/sql.ts';
import { backoffMs } from './backoff.ts';

/** What a run stands on. */
export interface RunContext {
  readonly sql: Sql;
  readonly log: Log;
  readonly provider: ProviderSettings;
  readonly installationId: string;
  /** How often a passing failure is tried before it is given up. */
  readonly attempts: number;
  /** Ends every running provider call when the process stops. */
  readonly stopping: AbortSignal;
  /** Asks what is wanted; null for a proxy nobody knows. */
  getDesired(proxyId: string): Promise<DesiredTunnel | null>;
  /** Tells how a run ended; false when it no longer counts. */
  report(proxyId: string, generation: number, outcome: Outcome): Promise<boolean>;
  /** Keeps a given-up wake-up where an operator sees it. */
  park(wakeup: object): Promise<void>;
}

/** A lease that is taken is looked at again after this many ms. */
const takenMs = 300;

/**
 * Handles one wake-up: brings one proxy to what is wanted and reports it.
 * @param messageId tells this wake-up from others of the same proxy.
 * @throws RetryLater, or what went wrong on our own side: the wake-up is to come again.
 */
export async function runWakeup(context: RunContext, proxyId: string, messageId: number): Promise<void> {
  const lease = await holdLease(context.sql, proxyId);
  if (!lease) throw new RetryLater(takenMs, 'another run of this proxy is under way');
  let started = false;
  try {
    const desired = await context.getDesired(proxyId);
    if (!desired) return await lease.end();
    if (desired.settled || isRedundant(lease, desired, messageId)) return await lease.putBack();
    started = true;
    await runHeld(context, lease, desired, messageId);
  } catch (error) {
    // Given back already where a failure was counted; this then changes nothing.
    await (started ? lease.leave() : lease.putBack());
    throw error;
  }
}

/** Another wake-up will try this generation again, and not yet. */
function isRedundant(lease: Lease, desired: DesiredTunnel, messageId: number): boolean {
  return lease.putOff && lease.generation === desired.generation && lease.retryMessage !== messageId;
}

async function runHeld(
  context: RunContext,
  lease: Lease,
  desired: DesiredTunnel,
  messageId: number,
): Promise<void> {
  const { proxyId, generation } = desired;
  const startedAt = performance.now();
  let calls = 0;
  const stopped = AbortSignal.any([lease.signal, context.stopping]);
  const provider = createProvider(context.provider, {
    signal: stopped,
    beforeCall: () => {
      stopped.throwIfAborted();
      calls += 1;
    },
  });
  const note = (outcome: Outcome, detail: string | null) =>
    insertRun(context.sql, {
      proxyId,
      generation,
      calls,
      outcome: outcome.kind,
      reason: 'reason' in outcome ? outcome.reason : null,
      detail,
      durationMs: Math.round(performance.now() - startedAt),
    });

  let outcome: Outcome;
  try {
    outcome = await converge(provider, context.installationId, desired, lease.doubtful);
  } catch (error) {
    stopped.throwIfAborted();
    if (!isProviderError(error, 'passing')) throw error;
    await note({ kind: 'failing', reason: error.reason }, error.message);
    return await failed(context, lease, desired, messageId, error);
  }
  stopped.throwIfAborted();
  await note(outcome, null);
  context.log.info({ proxyId, generation, calls, outcome: outcome.kind }, 'a proxy was brought up to date');
  const counted = await context.report(proxyId, generation, outcome);
  const clean = counted && (outcome.kind === 'applied' || outcome.kind === 'removed');
  await (clean ? lease.end() : lease.leave({ generation, failures: 0, retry: null }));
}

/** Counts a passing failure, tells the screen, and tries again later; after the last attempt it is parked. */
async function failed(
  context: RunContext,
  lease: Lease,
  desired: DesiredTunnel,
  messageId: number,
  error: ProviderError,
): Promise<void> {
  const { proxyId, generation } = desired;
  const failures = (lease.generation === generation ? lease.failures : 0) + 1;
  const { reason } = error;
  context.log.warn({ proxyId, generation, failures, detail: error.message }, 'the provider fails');
  await context
    .report(proxyId, generation, { kind: 'failing', reason })
    .catch((failure) => context.log.warn({ err: failure, proxyId }, 'a failure could not be reported'));

  if (failures < context.attempts) {
    const delay = backoffMs(failures, error.retryAfterMs);
    await lease.leave({ generation, failures, retry: { message: messageId, inMs: delay } });
    throw new RetryLater(delay, error.message);
  }
  // Parked once; what wakes the proxy after that tries once each time.
  if (failures === context.attempts)
    await context.park({ proxyId, generation, failures, reason, detail: error.message });
  await lease.leave({ generation, failures, retry: null });
}
