import type { DesiredTunnel, Outcome } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/connect';
import type { Log } from '@talpa/service-kit/log';
import { type Budget, NoTurn } from '../budget/budget.ts';
import { converge } from '../converge/converge.ts';
import type { Lease } from '../leases/hold.ts';
import { measureRun } from '../leases/metrics.ts';
import { createProvider, type Provider, type ProviderSettings } from '../provider/client.ts';
import { ProviderError } from '../provider/errors.ts';
import { insertRun } from '../runs/sql.ts';
import type { Troubles } from '../troubles/troubles.ts';
import { failed } from './failed.ts';
import { type Goal, goalOf } from './goal.ts';

/** What a run stands on. */
export interface RunContext {
  readonly sql: Sql;
  readonly log: Log;
  readonly provider: ProviderSettings;
  readonly budget: Budget;
  readonly troubles: Troubles;
  readonly installationId: string;
  /** How often a passing failure is tried before it is parked. */
  readonly attempts: number;
  /** Ends every running provider call when the process stops. */
  readonly stopping: AbortSignal;
  /** Asks what is wanted; null for a proxy nobody knows. */
  getDesired(proxyId: string): Promise<DesiredTunnel | null>;
  /** Tells how a run ended; false when it no longer counts. */
  report(proxyId: string, generation: number, outcome: Outcome): Promise<boolean>;
  /** Whether a tunnel that is missing may be taken for gone: not while many are. */
  mayBelieveGone(): Promise<boolean>;
  /** Whether what nobody wants may be looked for and removed: not while the database may be older than the provider. */
  mayRemoveUnknown(): Promise<boolean>;
}

/** Something on our own side is away: it is looked at again after this many ms. */
const ownTroubleMs = 1_000;
/** How long a run waits for a call's turn once it has begun; before that it gives its lease back. */
const patienceMs = 10_000;

/** Works on one proxy that is due: brings it to what is wanted, reports it and gives the lease back. */
export async function runLease(context: RunContext, held: Lease): Promise<void> {
  let lease = held;
  const stopped = AbortSignal.any([lease.signal, context.stopping]);
  let calls = 0;
  const lane = lease.urgent ? 'people' : 'background';
  const provider = createProvider(context.provider, {
    signal: stopped,
    turn: async () => {
      await context.budget.turn(lane, calls === 0 ? 0 : patienceMs, stopped);
      calls += 1;
    },
    onRateLimited: (ms) => context.budget.pause(ms),
    troubles: context.troubles,
  });
  const later = (ms: number) => (calls === 0 ? lease.putBack(ms) : lease.breakOff(ms));
  try {
    const desired = await context.getDesired(lease.proxyId);
    const mayRemove = (desired && !lease.tidy) || (await context.mayRemoveUnknown());
    if (!desired && !mayRemove) return await lease.end();
    // What was seen before a restore is seen again after an operator's word.
    if (!mayRemove) lease = { ...lease, tidy: false };
    const goal = goalOf(lease, desired);
    if (!goal) return await rest(lease, desired);
    // A change is tried at once; the same generation not before its time.
    if (goal.pressing && lease.putOff && lease.generation === goal.desired.generation)
      return await lease.putBack();
    await runGoal(context, lease, goal, provider, stopped, () => calls);
  } catch (error) {
    if (stopped.aborted) return await later(0);
    if (error instanceof NoTurn) {
      context.log.debug(
        { proxyId: lease.proxyId, lane, waitMs: error.waitMs },
        'put off: no call may be made',
      );
      return await later(error.waitMs);
    }
    context.log.warn({ err: error, proxyId: lease.proxyId }, 'a proxy will be checked again');
    await later(ownTroubleMs);
  }
}

/** Nothing is to be done: only the doubt about what there is stays. */
async function rest(lease: Lease, desired: DesiredTunnel | null): Promise<void> {
  if (!desired || !lease.doubtful) return lease.end();
  return lease.leave({ generation: desired.generation, failures: 0, retryInMs: null });
}

async function runGoal(
  context: RunContext,
  lease: Lease,
  goal: Goal,
  provider: Provider,
  stopped: AbortSignal,
  calls: () => number,
): Promise<void> {
  const { desired, reported } = goal;
  const { proxyId, generation } = desired;
  const startedAt = performance.now();
  const note = (outcome: Outcome, detail: string | null) => {
    const durationMs = Math.round(performance.now() - startedAt);
    measureRun(outcome.kind, durationMs);
    return insertRun(context.sql, {
      proxyId,
      generation,
      calls: calls(),
      outcome: outcome.kind,
      reason: 'reason' in outcome ? outcome.reason : null,
      detail,
      durationMs,
    });
  };

  let outcome: Outcome;
  try {
    outcome = await converge(provider, context.installationId, desired, lease.doubtful || lease.tidy);
    if (outcome.kind === 'refused' && outcome.reason === 'tunnel_gone' && !(await context.mayBelieveGone()))
      throw new ProviderError('passing', 'its tunnel is missing, as are many others');
  } catch (error) {
    if (stopped.aborted || !(error instanceof ProviderError)) throw error;
    await note({ kind: 'failing', reason: error.reason }, error.message);
    return await failed(context, lease, goal, error);
  }
  stopped.throwIfAborted();
  await note(outcome, null);
  context.log.info(
    {
      proxyId,
      generation,
      calls: calls(),
      outcome: outcome.kind,
      ...('reason' in outcome ? { reason: outcome.reason } : {}),
    },
    'a run has ended',
  );
  const counted = !reported || (await context.report(proxyId, generation, outcome));
  const clean = counted && (outcome.kind === 'applied' || outcome.kind === 'removed');
  await (clean ? lease.end() : lease.leave({ generation, failures: 0, retryInMs: null }));
}
