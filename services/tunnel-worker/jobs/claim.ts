import type { Sql } from '@talpa/service-kit/database/sql';
import {
  claimDueRows,
  completeJob,
  failJob,
  type JobFailure,
  type JobRow,
  renewJob,
  returnJob,
} from './sql.ts';

/**
 * How long a lease lasts without renewal, and how often it is renewed, in ms. A process that dies holds its
 * servers up for that long: less than a caller waits for their tunnel.
 */
const defaultTiming = { leaseMs: 4_000, renewEveryMs: 1_000 };

/** A server that no other worker works on as long as `signal` is not aborted. */
export interface Job extends JobRow {
  readonly signal: AbortSignal;
  /** Completed: the next run need not compare everything at the provider. */
  complete(): Promise<void>;
  /** The generation failed: the next run has to look. */
  fail(failure: JobFailure): Promise<void>;
  /** Nothing was done: it is as it was before, and looked at again after `againInMs`, if that is given. */
  return(againInMs?: number): Promise<void>;
  /** It was broken off: the next run, after `againInMs`, has to look. */
  abort(againInMs: number): Promise<void>;
}

interface Timing {
  readonly leaseMs?: number;
  readonly renewEveryMs?: number;
}

/** Takes the jobs of servers that are due, `count` at most, and renews each until it is given back. */
export async function claimDueJobs(
  sql: Sql,
  count: number,
  options: { readonly urgentOnly?: boolean } & Timing = {},
): Promise<Job[]> {
  const { urgentOnly = false, leaseMs, renewEveryMs } = { ...defaultTiming, ...options };
  const takenAt = performance.now();
  const rows = await claimDueRows(sql, leaseMs, count, urgentOnly);
  return rows.map((row) => keep(sql, row, takenAt, { leaseMs, renewEveryMs }));
}

function keep(sql: Sql, row: JobRow, takenAt: number, { leaseMs, renewEveryMs }: Required<Timing>): Job {
  const lost = new AbortController();
  let renewedAt = takenAt;
  const renew = async () => {
    const startedAt = performance.now();
    try {
      if (await renewJob(sql, row, leaseMs)) renewedAt = startedAt;
      else lost.abort(new Error('the job was taken by another worker'));
    } catch (error) {
      // Without the database it is ours only until it runs out.
      if (performance.now() - renewedAt > leaseMs - renewEveryMs)
        lost.abort(new Error('the job could not be renewed', { cause: error }));
    }
  };
  const timer = setInterval(renew, renewEveryMs);
  const release = async (giveBack: () => Promise<void>) => {
    clearInterval(timer);
    await giveBack();
  };
  return {
    ...row,
    signal: lost.signal,
    complete: () => release(() => completeJob(sql, row)),
    fail: (failure) => release(() => failJob(sql, row, failure)),
    return: (againInMs) =>
      release(async () => {
        // A generation that has failed is unverified.
        if (row.unverified || againInMs !== undefined)
          await returnJob(sql, row, row.unverified, againInMs ?? null);
        else await completeJob(sql, row);
      }),
    abort: (againInMs) => release(() => returnJob(sql, row, true, againInMs)),
  };
}
