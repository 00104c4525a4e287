import { boundedCache } from '@talpa/service-kit/bounded-cache';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';

/** Which other edges hold connections of which tunnels: the table of connections, cached for a moment. */
export interface PeerDirectory {
  /** The peer addresses of the other living edges that hold connections of a tunnel. */
  holders(tunnelId: string): Promise<readonly string[]>;
  /** Removes a tunnel from the cache: its entry proved wrong. */
  forget(tunnelId: string): void;
  /** Whether other edges live; false when it is unknown. */
  hasOthers(): Promise<boolean>;
  /** Takes this edge off the list. */
  leave(): Promise<void>;
}

const heartbeatMs = 5_000;
/** After three heartbeats that were missed an edge counts as dead. */
const deadSeconds = 15;
const cachedMs = 1_000;

/**
 * Puts this edge on the list and keeps it there.
 * @param edgeId the `edge_id` of the connections held here.
 * @param address host:port under which the others reach its peer listener.
 */
export async function joinDirectory(
  sql: Sql,
  edgeId: string,
  address: string,
  log: Log,
): Promise<PeerDirectory> {
  const beat = async () => {
    await sql`
      insert into edges (id, address, shares_tunnels) values (${edgeId}, ${address}, true)
      on conflict (id) do update set address = excluded.address, seen_at = now()`;
    await sql`delete from edges where seen_at < now() - interval '1 hour'`;
  };
  await beat();
  const timer = setInterval(
    () =>
      beat().catch((error: unknown) =>
        log.warn({ err: error }, 'peer address of this edge could not be stored, retrying'),
      ),
    heartbeatMs,
  );
  const isAlive = sql`edges.seen_at > now() - make_interval(secs => ${deadSeconds})
    and not exists (select 1 from tunnel_provider.edge_epochs where edge_epochs.id = edges.id and lost_at is not null)`;
  const find = async (tunnelId: string): Promise<readonly string[]> => {
    const rows = await sql<{ address: string }[]>`
      select distinct edges.address from tunnel_provider.live_connections join edges on edges.id = edge_id
      where tunnel_id = ${tunnelId} and edges.id <> ${edgeId} and ${isAlive}
      order by edges.address`;
    return rows.map((row) => row.address);
  };
  // Promises are kept, so that many visitors at once ask the database once.
  const cache = boundedCache<string, Promise<readonly string[]>>(20_000, { ttl: cachedMs });
  return {
    holders: (tunnelId) => {
      const known = cache.get(tunnelId);
      if (known) return known;
      const found = find(tunnelId).catch((error: unknown) => {
        log.warn({ err: error }, 'other edges of a tunnel could not be looked up');
        return [];
      });
      cache.set(tunnelId, found);
      return found;
    },
    forget: (tunnelId) => void cache.delete(tunnelId),
    hasOthers: () =>
      sql`select 1 from edges where id <> ${edgeId} and ${isAlive} limit 1`.then(
        (rows) => rows.length > 0,
        () => false,
      ),
    leave: async () => {
      clearInterval(timer);
      await sql`delete from edges where id = ${edgeId}`;
    },
  };
}
