import { randomUUID } from 'node:crypto';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { inScope, outOfScope } from '@talpa/service-kit/telemetry/scope';
import { traced } from '@talpa/service-kit/telemetry/tracing';
import { claimDueJobs, type Job } from './claim.ts';

/** Servers a process works on at once, and how many of them may be such that nobody waits for. */
const concurrency = 8;
const backgroundConcurrency = 5;
/** How often is looked for what has become due, or was held by a process that died. */
const lookEveryMs = 500;

const failed = 'what is due cannot be looked for';

/** Works off what is due, for as long as the process lives. */
export interface JobRunner {
  /** Something may have become due: look now. */
  kick(): void;
  /** Takes nothing more; ends when what runs has ended. */
  stop(): Promise<void>;
}

/** A run belongs to the request that has enqueued its server, for logs and traces; else to nobody's. */
function onBehalf(job: Job, run: (job: Job) => Promise<void>): Promise<void> {
  const scope = { requestId: job.requestId ?? randomUUID(), call: 'run' };
  const parent = job.traceparent;
  return inScope(scope, () =>
    parent ? traced('run', { kind: 'consumer', parent }, () => run(job)) : run(job),
  );
}

/** @param run works on one held server and gives its lease back. */
export function startJobRunner(
  sql: Sql,
  { log, every }: Pick<Lifecycle, 'log' | 'every'>,
  run: (job: Job) => Promise<void>,
): JobRunner {
  const running = new Set<Promise<void>>();
  let background = 0;
  let stopping = false;
  let looking: Promise<void> | null = null;
  let again = false;

  const start = (job: Job) => {
    if (!job.urgent) background += 1;
    const task = onBehalf(job, run)
      .catch((error) =>
        log.warn(
          { err: error, serverId: job.serverId },
          'job could not be released: it is retried when its lease expires',
        ),
      )
      .then(() => {
        running.delete(task);
        if (!job.urgent) background -= 1;
        kick();
      });
    running.add(task);
  };
  const fill = async () => {
    do {
      again = false;
      while (!stopping && running.size < concurrency) {
        const room = backgroundConcurrency - background;
        const free = concurrency - running.size;
        const count = room > 0 ? Math.min(free, room) : free;
        const jobs = await claimDueJobs(sql, count, { urgentOnly: room <= 0 });
        for (const job of jobs) start(job);
        if (jobs.length < count) break;
      }
    } while (again && !stopping);
  };
  const kick = () => {
    again = true;
    // The job does not belong to the request that triggered this look.
    looking ??= outOfScope(fill)
      .catch((error) => log.debug({ err: error }, failed))
      .finally(() => {
        looking = null;
      });
  };
  // A look that a kick has begun is not waited for: it may be about to end without what has become due since.
  every(lookEveryMs, async () => kick(), { failed });
  return {
    kick,
    stop: async () => {
      stopping = true;
      await looking;
      await Promise.all(running);
    },
  };
}
