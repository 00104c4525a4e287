import type { OriginRow, OriginSignal } from '@talpa/contracts';
import type { AnySql, TransactionSql } from '@talpa/service-kit/database/sql';

/** Whom a live message about a proxy goes to. */
export interface Concerned {
  readonly id: number;
  readonly userId: number;
}

/**
 * Stores reported states of origins that are newer than the stored ones.
 * @returns whose origin has become reachable, or is no longer
 */
export async function keepOrigins(tx: TransactionSql, rows: readonly OriginRow[]): Promise<Concerned[]> {
  const turned: string[] = [];
  // In one order everywhere, so that two messages never wait for each other.
  const sorted = [...rows].sort((a, b) => (a.tunnelId < b.tunnelId ? -1 : Number(a.tunnelId > b.tunnelId)));
  for (const row of sorted) {
    const [before] = await tx<Signals[]>`
      select last_response_at, last_unreachable_at from origins where tunnel_id = ${row.tunnelId} for update`;
    const [after] = await tx<Signals[]>`
      insert into origins (tunnel_id, version, last_response_at, last_status, last_unreachable_at)
      values (${row.tunnelId}, ${row.version}, ${row.lastResponseAt}, ${row.lastStatus}, ${row.lastUnreachableAt})
      on conflict (tunnel_id) do update set
        version = excluded.version, last_response_at = excluded.last_response_at,
        last_status = excluded.last_status, last_unreachable_at = excluded.last_unreachable_at
      where origins.version < excluded.version
      returning last_response_at, last_unreachable_at`;
    if (after && (!before || stateOf(before) !== stateOf(after))) turned.push(row.tunnelId);
  }
  if (turned.length === 0) return [];
  return tx<Concerned[]>`
    select distinct owners.id, owners.user_id from tunnels join owners using (proxy_id)
    where tunnel_id in ${tx(turned)}`;
}

interface Signals {
  lastResponseAt: Date | null;
  lastUnreachableAt: Date | null;
}

function stateOf({ lastResponseAt, lastUnreachableAt }: Signals): OriginSignal['state'] {
  if (lastResponseAt === null && lastUnreachableAt === null) return 'unknown';
  return (lastUnreachableAt?.getTime() ?? 0) > (lastResponseAt?.getTime() ?? 0) ? 'unreachable' : 'ok';
}

/** The last responses of the panel behind a proxy, through whichever of its tunnels. */
export async function readOrigin(sql: AnySql, proxyId: string, now = new Date()): Promise<OriginSignal> {
  const tunnels = sql`(select tunnel_id from tunnels where proxy_id = ${proxyId})`;
  const [row] = await sql<(Signals & { lastStatus: number | null; failures: number })[]>`
    select max(last_response_at) as last_response_at, max(last_unreachable_at) as last_unreachable_at,
      (array_agg(last_status order by last_response_at desc nulls last))[1] as last_status,
      (select coalesce(sum(unreachable), 0)::bigint from traffic where tunnel_id in ${tunnels}
        and quarter > ${now}::timestamptz - interval '24 hours') as failures
    from origins where tunnel_id in ${tunnels}`;
  const signals = row ?? { lastResponseAt: null, lastUnreachableAt: null, lastStatus: null, failures: 0 };
  return {
    state: stateOf(signals),
    lastResponseAt: signals.lastResponseAt?.toISOString() ?? null,
    lastStatus: signals.lastStatus,
    lastUnreachableAt: signals.lastUnreachableAt?.toISOString() ?? null,
    failures: signals.failures,
  };
}
