import type { OriginProblem, OriginRow, OriginSignal, ProxyState } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { countedAs, proxiesCountedAs } from '../proxies/counted-as.ts';
import { type Reader, selectReaders } from '../proxies/readers.ts';
import { type Known, outageAfter, type Signals, stateOf } from './outage.ts';

/**
 * Stores measured states of origins that are newer than the stored ones, and orders notifications of outages.
 * @returns whose origin has become reachable, is no longer, or of which more is known
 */
export async function keepOrigins(
  tx: Tx,
  rows: readonly OriginRow[],
  alertAfterSeconds: number,
): Promise<Reader[]> {
  const { sql } = tx;
  const turned: string[] = [];
  // In one order everywhere, so that two messages never wait for each other.
  const sorted = [...rows].sort((a, b) => (a.tunnelId < b.tunnelId ? -1 : Number(a.tunnelId > b.tunnelId)));
  for (const row of sorted) {
    const { tunnelId, version, problem = null } = row;
    const [before] = await sql<(Known & { version: number; problem: OriginProblem | null })[]>`
      select version, problem, last_response_at, last_unreachable_at, unreachable_since, is_reported
      from origins where tunnel_id = ${tunnelId} for update`;
    const signals = {
      lastResponseAt: dateOf(row.lastResponseAt),
      lastUnreachableAt: dateOf(row.lastUnreachableAt),
    };
    const outage = outageAfter(signals, before, alertAfterSeconds);
    const { count } = await sql`
      insert into origins (tunnel_id, version, last_response_at, last_status, last_unreachable_at, unreachable_since,
        is_reported, problem, problem_at)
      values (${tunnelId}, ${version}, ${row.lastResponseAt}, ${row.lastStatus}, ${row.lastUnreachableAt},
        ${outage.unreachableSince}, ${outage.isReported}, ${problem}, ${row.problemAt ?? null})
      on conflict (tunnel_id) do update set
        version = excluded.version, last_response_at = excluded.last_response_at,
        last_status = excluded.last_status, last_unreachable_at = excluded.last_unreachable_at,
        unreachable_since = excluded.unreachable_since, is_reported = excluded.is_reported,
        problem = excluded.problem, problem_at = excluded.problem_at
      where origins.version < excluded.version`;
    if (count === 0) continue;
    if (!before || stateOf(before) !== stateOf(signals) || before.problem !== problem) turned.push(tunnelId);
    const since = outage.unreachableSince ?? signals.lastResponseAt;
    const isReachable = !outage.isReported;
    if (since && isReachable === (before?.isReported ?? false))
      await tx.command('notifications.storeOrigin', {
        tunnelId,
        version,
        isReachable,
        since: since.toISOString(),
      });
  }
  if (turned.length === 0) return [];
  return sql<Reader[]>`
    ${selectReaders(sql)}
    where owners.proxy_id in ${proxiesCountedAs(sql, turned)}`;
}

/** What did not respond before a pause may do so after it: an outage of which nobody was notified yet begins anew then. */
export async function forgetFailures(sql: AnySql, states: readonly ProxyState[]): Promise<void> {
  const paused = states.filter((state) => state.paused).map(({ proxyId }) => proxyId);
  if (paused.length > 0)
    await sql`
      update origins set unreachable_since = null
      where tunnel_id in ${sql(paused)} and unreachable_since is not null and not is_reported`;
}

const dateOf = (time: string | null) => (time === null ? null : new Date(time));

/** The last responses of the panel behind a proxy. */
export async function readOrigin(sql: AnySql, proxyId: string, now = new Date()): Promise<OriginSignal> {
  const its = countedAs(sql, proxyId);
  const [row] = await sql<(Signals & Pick<OriginSignal, 'lastStatus' | 'problem' | 'failures'>)[]>`
    select max(last_response_at) as last_response_at, max(last_unreachable_at) as last_unreachable_at,
      (array_agg(last_status order by last_response_at desc nulls last))[1] as last_status,
      (array_agg(problem order by problem_at desc nulls last)
        filter (where problem_at >= coalesce(last_response_at, '-infinity')))[1] as problem,
      (select coalesce(sum(unreachable), 0)::bigint from traffic where tunnel_id in ${its}
        and quarter > ${now}::timestamptz - interval '24 hours') as failures
    from origins where tunnel_id in ${its}`;
  const signals = row ?? {
    lastResponseAt: null,
    lastUnreachableAt: null,
    lastStatus: null,
    problem: null,
    failures: 0,
  };
  return {
    state: stateOf(signals),
    lastResponseAt: signals.lastResponseAt?.toISOString() ?? null,
    lastStatus: signals.lastStatus,
    lastUnreachableAt: signals.lastUnreachableAt?.toISOString() ?? null,
    problem: signals.problem,
    failures: signals.failures,
  };
}
