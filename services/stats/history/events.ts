import type { InternalCalls, ProxyEvent, Verb } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { type AuditTableRow, otherActorOf, targetOf } from '../audit/sql.ts';
import type { StatsContext } from '../context.ts';

/** What was done to a proxy and how its connector came and went, the newest first. Who asks may see the proxy. */
export const readEvents: Verb<InternalCalls['stats.readEvents'], StatsContext> = async ({ sql }, input) => {
  const deeds = await readDeeds(sql, input);
  const turns = await readTurns(sql, input.proxyId, input.limit);
  return [...deeds, ...turns].sort((a, b) => b.at.localeCompare(a.at)).slice(0, input.limit);
};

interface Asked {
  readonly id: number;
  readonly userId: number;
  readonly limit: number;
}

async function readDeeds(sql: AnySql, { id, userId, limit }: Asked): Promise<ProxyEvent[]> {
  const rows = await sql<AuditTableRow[]>`
    select audit.*, users.username as actor_username from audit left join users on users.user_id = actor_user_id
    where target_kind = 'proxy' and target_id = ${String(id)}
    order by at desc, id desc limit ${limit}`;
  return rows
    .map((row) => ({ row, by: row.actorUserId === userId ? ('owner' as const) : otherActorOf(row) }))
    .map(({ row, by }) => ({
      kind: 'deed',
      id: row.id,
      at: row.at.toISOString(),
      action: row.action,
      target: targetOf(row),
      changes: row.changes,
      by,
      byName: by === 'member' ? row.actorUsername : null,
    }));
}

/** When a connector came, and when it went again; that one has not come yet is no event. */
export async function readTurns(sql: AnySql, proxyId: string, limit: number): Promise<ProxyEvent[]> {
  const rows = await sql<{ at: Date; state: 'up' | 'down' }[]>`
    select at, state from (
      select at, version, state, lag(state) over (order by version) as before
      from states where proxy_id = ${proxyId} and state in ('up', 'down')) known
    where (state = 'up') <> coalesce(before = 'up', false)
    order by version desc limit ${limit}`;
  return rows.map(({ at, state }) => ({
    kind: 'connector',
    at: at.toISOString(),
    connected: state === 'up',
  }));
}
