import type { DesiredServer, Outcome } from '@talpa/contracts';
import { BudgetExhausted } from '../budget/budget.ts';
import { createProvider, type Provider } from '../provider/client.ts';
import { ProviderError } from '../provider/errors.ts';
import { type Result, reconcile } from '../reconcile/reconcile.ts';
import type { Job } from './claim.ts';
import type { JobContext } from './context.ts';
import { failed } from './failed.ts';
import { type Goal, generationOf, goalOf } from './goal.ts';
import { insertJobRun } from './history.ts';
import { measureRun } from './metrics.ts';
import { reportOf } from './report.ts';

/** Something on our own side is away: it is looked at again after this many ms. */
const ownTroubleMs = 1_000;
/** How long a run waits for the budget once it has begun; before that it returns its job. */
const patienceMs = 10_000;

/** Runs one job that is due: reconciles the server, reports the result and completes the job. */
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
    const desired = await context.getDesired(job.serverId);
    // What was seen before a restore is seen again after an operator's word.
    if (job.fullScan && !(await context.mayRemoveUnknown())) job = { ...job, fullScan: false };
    const goal = goalOf(job, desired);
    if (!goal) return await rest(job, desired);
    // A change is tried at once; the same generation not before its time.
    if (goal.required && job.putOff && job.generation === generationOf(goal.desired))
      return await job.return();
    await runGoal(context, job, goal, provider, stopped, () => calls);
  } catch (error) {
    if (stopped.aborted) return await later(0);
    if (error instanceof BudgetExhausted) {
      context.log.debug(
        { serverId: job.serverId, lane, waitMs: error.waitMs },
        'put off: no call may be made',
      );
      return await later(error.waitMs);
    }
    context.log.warn({ err: error, serverId: job.serverId }, 'job failed, retrying');
    await later(ownTroubleMs);
  }
}

/** Nothing is to be done: only the doubt about what there is stays. */
async function rest(job: Job, desired: DesiredServer | null): Promise<void> {
  if (!desired || !job.unverified) return job.complete();
  return job.fail({ generation: generationOf(desired), failures: 0, retryInMs: null });
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
  const { serverId } = desired;
  const generation = generationOf(desired);
  const startedAt = performance.now();
  const record = ({ kind, reason }: End, detail: string | null) => {
    const durationMs = Math.round(performance.now() - startedAt);
    measureRun(kind, durationMs);
    const run = {
      serverId,
      generation,
      calls: calls(),
      outcome: kind,
      reason: reason ?? null,
      detail,
      durationMs,
    };
    return insertJobRun(context.sql, run);
  };
  const fail = async (error: ProviderError, result: Result | null) => {
    stopped.throwIfAborted();
    await record({ kind: 'failing', reason: error.reason }, error.message);
    await failed(context, job, goal, error, result);
  };

  let result: Result;
  try {
    result = await reconcile({ ...context, provider }, desired, job);
    const { tunnel } = result;
    if (tunnel?.kind === 'refused' && tunnel.reason === 'tunnel_gone' && !(await context.mayBelieveGone()))
      throw new ProviderError('passing', 'its tunnel is missing, as are many others');
  } catch (error) {
    if (stopped.aborted || !(error instanceof ProviderError)) throw error;
    return await fail(error, null);
  }
  const [failure] = result.failing.values();
  if (failure) return await fail(failure, result);
  stopped.throwIfAborted();
  const end = endOf(result);
  await record(end, null);
  context.log.info(
    { serverId, generation, calls: calls(), outcome: end.kind, ...(end.reason && { reason: end.reason }) },
    'a run has ended',
  );
  const counted = !reported || (await context.report(reportOf(desired, result.tunnel, result.proxies)));
  const clean = counted && end.kind !== 'refused';
  await (clean ? job.complete() : job.fail({ generation, failures: 0, retryInMs: null }));
}

/** How a run is shown to operators. */
interface End {
  readonly kind: Outcome['kind'];
  readonly reason?: string;
}

function endOf({ tunnel, proxies }: Result): End {
  const refused = [tunnel, ...proxies.values()].find((outcome) => outcome?.kind === 'refused');
  if (refused?.kind === 'refused') return refused;
  return { kind: tunnel?.kind === 'removed' ? 'removed' : 'applied' };
}
