import type { GamePort } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';

type TrafficRow = Omit<GamePort['traffic'], 'lastConnectionAt'> & {
  id: number;
  lastConnectionAt: Date | null;
};

/** What went through game ports, as the edges have counted it; of those that nobody has used nothing. */
export async function trafficOf(
  sql: AnySql,
  ports: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, GamePort['traffic']>> {
  if (ports.length === 0) return new Map();
  const ids = sql(ports.map(({ id }) => id));
  // An edge that has died leaves its rows behind.
  const rows = await sql<TrafficRow[]>`
    with counted as (
      select port_id, sum(bytes_in) as bytes_in, sum(bytes_out) as bytes_out, sum(connections) as connections,
        sum(refused) as refused, max(last_at) as last_at,
        sum(bytes_in) filter (where quarter > now() - interval '24 hours') as bytes_in_day,
        sum(bytes_out) filter (where quarter > now() - interval '24 hours') as bytes_out_day
      from edge.port_traffic where port_id in ${ids} group by port_id
    ), held as (
      select port_id, sum(open) as open from edge.port_connections
      where port_id in ${ids} and seen_at > now() - interval '15 seconds' group by port_id
    )
    select port_id as id, coalesce(bytes_in, 0)::bigint as bytes_in, coalesce(bytes_out, 0)::bigint as bytes_out,
      coalesce(bytes_in_day, 0)::bigint as bytes_in_day, coalesce(bytes_out_day, 0)::bigint as bytes_out_day,
      coalesce(connections, 0)::bigint as connections, coalesce(refused, 0)::bigint as refused,
      coalesce(open, 0)::bigint as open, last_at as last_connection_at
    from counted full join held using (port_id)`;
  return new Map(
    rows.map(({ id, lastConnectionAt, ...counts }) => [
      id,
      { ...counts, lastConnectionAt: lastConnectionAt?.toISOString() ?? null },
    ]),
  );
}
