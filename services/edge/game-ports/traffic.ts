import type { Sql } from '@talpa/service-kit/database/sql';

/** What went through a game port since the last flush. */
interface PortTraffic {
  bytesIn: number;
  bytesOut: number;
  connections: number;
  refused: number;
  /** When the last connection was let in, by `Date.now()`; 0: none was. */
  lastAt: number;
}

const quarterMs = 15 * 60_000;
/** As long as the traffic of tunnels is kept. */
const keptDays = 14;

/** Counts in memory what each game port carries, until it is stored. */
export function createPortTraffic() {
  let counted = new Map<number, PortTraffic>();
  const of = (portId: number): PortTraffic => {
    const known = counted.get(portId);
    if (known) return known;
    const fresh = { bytesIn: 0, bytesOut: 0, connections: 0, refused: 0, lastAt: 0 };
    counted.set(portId, fresh);
    return fresh;
  };
  return {
    /** A port's counters, to be looked up anew each time: a flush replaces them. */
    of,
    /** Adds what was counted to its quarter of an hour. What cannot be stored is counted again with the next flush. */
    async flush(sql: Sql, at = Date.now()): Promise<void> {
      const taken = counted;
      if (taken.size === 0) return;
      counted = new Map();
      try {
        await store(sql, taken, new Date(at - (at % quarterMs)));
      } catch (error) {
        for (const [portId, one] of taken) addTo(of(portId), one);
        throw error;
      }
    },
  };
}

function addTo(sum: PortTraffic, part: PortTraffic): void {
  for (const what of ['bytesIn', 'bytesOut', 'connections', 'refused'] as const) sum[what] += part[what];
  sum.lastAt = Math.max(sum.lastAt, part.lastAt);
}

async function store(sql: Sql, taken: ReadonlyMap<number, PortTraffic>, quarter: Date): Promise<void> {
  const rows = [...taken].map(([portId, { lastAt, ...one }]) => ({
    port_id: portId,
    bytes_in: one.bytesIn,
    bytes_out: one.bytesOut,
    connections: one.connections,
    refused: one.refused,
    last_at: lastAt === 0 ? null : new Date(lastAt).toISOString(),
  }));
  // Ordered, so that two edges that flush at once cannot wait for each other.
  await sql`
    insert into port_traffic (port_id, quarter, bytes_in, bytes_out, connections, refused, last_at)
    select port_id, ${quarter}, bytes_in, bytes_out, connections, refused, last_at
    from jsonb_to_recordset(${sql.json(rows)}) as one (
      port_id bigint, bytes_in bigint, bytes_out bigint, connections bigint, refused bigint, last_at timestamptz)
    order by port_id
    on conflict (port_id, quarter) do update set
      bytes_in = port_traffic.bytes_in + excluded.bytes_in,
      bytes_out = port_traffic.bytes_out + excluded.bytes_out,
      connections = port_traffic.connections + excluded.connections,
      refused = port_traffic.refused + excluded.refused,
      last_at = greatest(port_traffic.last_at, excluded.last_at)`;
}

/**
 * Says how many connections this edge has open, of each game port.
 * @param closed the game ports whose public port it could not open
 */
export async function storeConnections(
  sql: Sql,
  edgeId: string,
  open: ReadonlyMap<number, number>,
  closed: readonly number[],
): Promise<void> {
  const ids = new Set([...open.keys(), ...closed]);
  const rows = [...ids].map((id) => ({
    port_id: id,
    open: open.get(id) ?? 0,
    is_closed: closed.includes(id),
  }));
  await sql`
    with now_open as (
      select * from jsonb_to_recordset(${sql.json(rows)}) as one (port_id bigint, open integer, is_closed boolean)
    ), closed as (
      delete from port_connections where edge_id = ${edgeId} and port_id not in (select port_id from now_open)
    )
    insert into port_connections (edge_id, port_id, open, is_closed, seen_at)
    select ${edgeId}, port_id, open, is_closed, now() from now_open
    on conflict (edge_id, port_id) do update
      set open = excluded.open, is_closed = excluded.is_closed, seen_at = excluded.seen_at`;
}

/** Removes what is older than is kept here, and what dead edges have left behind. */
export async function forgetOldPortTraffic(sql: Sql): Promise<void> {
  await sql`delete from port_traffic where quarter < now() - make_interval(days => ${keptDays})`;
  await sql`delete from port_connections where seen_at < now() - interval '1 hour'`;
}
