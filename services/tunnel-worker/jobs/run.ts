import type { DesiredTunnel, Outcome } from '@talpa/contracts';
import { BudgetExhausted } from '../budget/budget.ts';
import { createProvider, type Provider } from '../provider/client.ts';
import { ProviderError } from '../provider/errors.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { Job } from './claim.ts';
import type { JobContext } from './context.ts';
import { failed } from './failed.ts';
import { type Goal, goalOf } from './goal.ts';
import { insertJobRun } from './history.ts';
import { measureRun } from './metrics.ts';

/** Something on our own side is away: it is looked at again after this many ms. */
const ownTroubleMs = 1_000;
/** How long a run waits for the budget once it has begun; before that it returns its job. */
const patienceMs = 10_000;

/** Runs one job that is due: reconciles the proxy, reports the result and completes the job. */
export async function runJob(context: JobContext, held: Job): Promise<void> {
  let job = held;
  const stopped = AbortSignal.any([job.signal, context.stopping]);
  let calls = 0;
  const lane = job.urgent ? 'interactive' : 'background';
  const provider = createProvider(context.provider, {
    signal: stopped,
    acquire: async () => {
      await context.budget.acquire(lane, calls === 0 ? 0 : patienceMs, stopped);
      calls += 1;
    },
    onRateLimited: (ms) => context.budget.pause(ms),
    problems: context.problems,
  });
  const later = (ms: number) => (calls === 0 ? job.return(ms) : job.abort(ms));
  try {
    const desired = await context.getDesired(job.proxyId);
    // What was seen before a restore is seen again after an operator's word.
    if (job.fullScan && !(await context.mayRemoveUnknown())) job = { ...job, fullScan: false };
    const goal = goalOf(job, desired);
    if (!goal) return await rest(job, desired);
    // A change is tried at once; the same generation not before its time.
    if (goal.required && job.putOff && job.generation === goal.desired.generation) return await job.return();
    await runGoal(context, job, goal, provider, stopped, () => calls);
  } catch (error) {
    if (stopped.aborted) return await later(0);
    if (error instanceof BudgetExhausted) {
      context.log.debug({ proxyId: job.proxyId, lane, waitMs: error.waitMs }, 'put off: no call may be made');
      return await later(error.waitMs);
    }
    context.log.warn({ err: error, proxyId: job.proxyId }, 'job failed, retrying');
    await later(ownTroubleMs);
  }
}

/** Nothing is to be done: only the doubt about what there is stays. */
async function rest(job: Job, desired: DesiredTunnel | null): Promise<void> {
  if (!desired || !job.unverified) return job.complete();
  return job.fail({ generation: desired.generation, failures: 0, retryInMs: null });
}

async function runGoal(
  context: JobContext,
  job: Job,
  goal: Goal,
  provider: Provider,
  stopped: AbortSignal,
  calls: () => number,
): Promise<void> {
  const { desired, reported } = goal;
  const { proxyId, generation } = desired;
  const startedAt = performance.now();
  const record = (outcome: Outcome, detail: string | null) => {
    const durationMs = Math.round(performance.now() - startedAt);
    measureRun(outcome.kind, durationMs);
    return insertJobRun(context.sql, {
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
    outcome = await reconcile(provider, context.installationId, desired, job.unverified || job.fullScan);
    if (outcome.kind === 'refused' && outcome.reason === 'tunnel_gone' && !(await context.mayBelieveGone()))
      throw new ProviderError('passing', 'its tunnel is missing, as are many others');
  } catch (error) {
    if (stopped.aborted || !(error instanceof ProviderError)) throw error;
    await record({ kind: 'failing', reason: error.reason }, error.message);
    return await failed(context, job, goal, error);
  }
  stopped.throwIfAborted();
  await record(outcome, null);
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
  await (clean ? job.complete() : job.fail({ generation, failures: 0, retryInMs: null }));
}
