import type { GamePort } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';

/** What the edges say of a game port. */
export interface PortUse {
  readonly traffic: GamePort['traffic'];
  /** An edge could not open its public port. */
  readonly isClosed: boolean;
}

type UseRow = Omit<GamePort['traffic'], 'lastConnectionAt'> & {
  id: number;
  lastConnectionAt: Date | null;
  isClosed: boolean;
};

/** What went through game ports, and how they are, as the edges have stored it; nothing of those that nobody has used. */
export async function useOf(
  sql: AnySql,
  ports: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, PortUse>> {
  if (ports.length === 0) return new Map();
  const ids = sql(ports.map(({ id }) => id));
  // An edge that has died leaves its rows behind.
  const rows = await sql<UseRow[]>`
    with counted as (
      select port_id, sum(bytes_in) as bytes_in, sum(bytes_out) as bytes_out, sum(connections) as connections,
        sum(refused) as refused, max(last_at) as last_at,
        sum(bytes_in) filter (where quarter > now() - interval '24 hours') as bytes_in_day,
        sum(bytes_out) filter (where quarter > now() - interval '24 hours') as bytes_out_day
      from edge.port_traffic where port_id in ${ids} group by port_id
    ), held as (
      select port_id, sum(open) as open, bool_or(is_closed) as is_closed from edge.port_connections
      where port_id in ${ids} and seen_at > now() - interval '15 seconds' group by port_id
    )
    select port_id as id, coalesce(bytes_in, 0)::bigint as bytes_in, coalesce(bytes_out, 0)::bigint as bytes_out,
      coalesce(bytes_in_day, 0)::bigint as bytes_in_day, coalesce(bytes_out_day, 0)::bigint as bytes_out_day,
      coalesce(connections, 0)::bigint as connections, coalesce(refused, 0)::bigint as refused,
      coalesce(open, 0)::bigint as open, last_at as last_connection_at,
      coalesce(is_closed, false) as is_closed
    from counted full join held using (port_id)`;
  return new Map(
    rows.map(({ id, isClosed, lastConnectionAt, ...counts }) => [
      id,
      { isClosed, traffic: { ...counts, lastConnectionAt: lastConnectionAt?.toISOString() ?? null } },
    ]),
  );
}
