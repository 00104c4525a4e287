import type { Sql } from '@talpa/service-kit/database/connect';
import { endLease, type LeaseRow, leaveLease, renewLease, type Troubles, takeLease } from './sql.ts';

/** How long a lease lasts without renewal, and how often it is renewed, in ms. */
const defaultTiming = { leaseMs: 15_000, renewEveryMs: 4_000 };

/** A proxy that nobody else works on as long as `signal` is not aborted. */
export interface Lease extends LeaseRow {
  readonly signal: AbortSignal;
  /** The next run starts without a doubt. */
  end(): Promise<void>;
  /** The next run has to look; without troubles those known before stay. */
  leave(troubles?: Troubles): Promise<void>;
  /** Nothing was done: it is as it was before. */
  putBack(): Promise<void>;
}

/** Takes a proxy's lease and renews it until it is given back. Null when another worker holds it. */
export async function holdLease(
  sql: Sql,
  proxyId: string,
  { leaseMs, renewEveryMs } = defaultTiming,
): Promise<Lease | null> {
  const takenAt = performance.now();
  const row = await takeLease(sql, proxyId, leaseMs);
  if (!row) return null;
  const lost = new AbortController();
  let renewedAt = takenAt;
  const renew = async () => {
    const startedAt = performance.now();
    try {
      if (await renewLease(sql, proxyId, row.holder, leaseMs)) renewedAt = startedAt;
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
  const leave = (troubles?: Troubles) => release(() => leaveLease(sql, proxyId, row.holder, troubles));
  const end = () => release(() => endLease(sql, proxyId, row.holder));
  return { ...row, signal: lost.signal, end, leave, putBack: () => (row.doubtful ? leave() : end()) };
}
