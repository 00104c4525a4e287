import type { EventOf } from '@talpa/contracts';
import { jsonOf } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runBatchProjection } from '@talpa/service-kit/events/projection';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { keepUsers } from '../audit/users.ts';

/** Counts users and proxies from their snapshots, and keeps users' names for the audit trail. */
export function countEvents(base: ServiceBase, lifecycle: Lifecycle): void {
  runBatchProjection(
    'stats',
    'user',
    async (tx, users) => {
      await keepUsers(tx, users);
      await count(tx, users.map(countedUser));
    },
    base,
    lifecycle,
  );
  runBatchProjection(
    'stats',
    'proxy',
    (tx, proxies) => count(tx, proxies.map(countedProxy)),
    base,
    lifecycle,
  );
}

export interface Counted {
  readonly kind: 'user' | 'proxy';
  readonly id: string;
  readonly version: number;
  readonly present: boolean;
  readonly active: boolean;
}

/** What is counted of a user. */
export const countedUser = (user: EventOf<'user'>): Counted => ({
  kind: 'user',
  id: String(user.id),
  version: user.version,
  present: !user.deleted,
  active: false,
});

/** What is counted of a proxy. */
export const countedProxy = (proxy: EventOf<'proxy'>): Counted => ({
  kind: 'proxy',
  id: proxy.id,
  version: proxy.version,
  present: !proxy.deleted,
  active: !proxy.deleted && proxy.status === 'active',
});

/** Moves the totals by the difference to what was known; older or repeated snapshots change nothing. */
export async function count(tx: Tx, incoming: readonly Counted[]): Promise<void> {
  // In one order everywhere, so that two writers never wait for each other.
  const [moved] = await tx.sql<Record<'users' | 'proxies' | 'activeProxies', number>[]>`
    with moved as (
      insert into counted as known (kind, id, version, present, active)
      select distinct on (kind, id) kind, id, version, present, active
      from jsonb_to_recordset(${jsonOf(tx.sql, [...incoming])}) as one (
        kind text, id text, version integer, present boolean, active boolean)
      order by kind, id, version desc
      on conflict (kind, id) do update set
        version = excluded.version, present = excluded.present, active = excluded.active, changed_at = now(),
        was_present = known.present, was_active = known.active
      where known.version < excluded.version
      returning kind, present::integer - was_present::integer as present,
        active::integer - was_active::integer as active)
    select coalesce(sum(present) filter (where kind = 'user'), 0)::integer as users,
      coalesce(sum(present) filter (where kind = 'proxy'), 0)::integer as proxies,
      coalesce(sum(active), 0)::integer as active_proxies
    from moved`;
  for (const [name, difference] of Object.entries(moved ?? {})) {
    if (difference === 0) continue;
    await tx.sql`update totals set value = value + ${difference} where name = ${name}`;
    tx.invalidateAll();
  }
}
