import type { Sql } from '@talpa/service-kit/database/connect';
import {
  claimDue,
  endLease,
  type LeaseRow,
  leaveLease,
  putBackLease,
  renewLease,
  type Troubles,
} from './sql.ts';

/**
 * How long a lease lasts without renewal, and how often it is renewed, in ms. A process that dies holds its
 * proxies up for that long: less than a caller waits for his tunnel.
 */
const defaultTiming = { leaseMs: 4_000, renewEveryMs: 1_000 };

/** A proxy that nobody else works on as long as `signal` is not aborted. */
export interface Lease extends LeaseRow {
  readonly signal: AbortSignal;
  /** The next run starts without a doubt. */
  end(): Promise<void>;
  /** The generation failed: the next run has to look. */
  leave(troubles: Troubles): Promise<void>;
  /** Nothing was done: it is as it was before, and looked at again after `againInMs`, if that is given. */
  putBack(againInMs?: number): Promise<void>;
  /** It was broken off: the next run, after `againInMs`, has to look. */
  breakOff(againInMs: number): Promise<void>;
}

interface Timing {
  readonly leaseMs?: number;
  readonly renewEveryMs?: number;
}

/** Takes the leases of proxies that are due, `count` at most, and renews each until it is given back. */
export async function holdDue(
  sql: Sql,
  count: number,
  options: { readonly urgentOnly?: boolean } & Timing = {},
): Promise<Lease[]> {
  const { urgentOnly = false, leaseMs, renewEveryMs } = { ...defaultTiming, ...options };
  const takenAt = performance.now();
  const rows = await claimDue(sql, leaseMs, count, urgentOnly);
  return rows.map((row) => keep(sql, row, takenAt, { leaseMs, renewEveryMs }));
}

function keep(sql: Sql, row: LeaseRow, takenAt: number, { leaseMs, renewEveryMs }: Required<Timing>): Lease {
  const lost = new AbortController();
  let renewedAt = takenAt;
  const renew = async () => {
    const startedAt = performance.now();
    try {
      if (await renewLease(sql, row, leaseMs)) renewedAt = startedAt;
      else lost.abort(new Error('the lease was taken by another worker'));
    } catch (error) {
      // Without the database it is ours only until it runs out.
      if (performance.now() - renewedAt > leaseMs - renewEveryMs)
        lost.abort(new Error('the lease could not be renewed', { cause: error }));
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
    end: () => release(() => endLease(sql, row)),
    leave: (troubles) => release(() => leaveLease(sql, row, troubles)),
    putBack: (againInMs) =>
      release(async () => {
        if (row.doubtful || row.generation !== null || againInMs !== undefined)
          await putBackLease(sql, row, row.doubtful, againInMs ?? null);
        else await endLease(sql, row);
      }),
    breakOff: (againInMs) => release(() => putBackLease(sql, row, true, againInMs)),
  };
}
