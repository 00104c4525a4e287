import type { EventOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runBatchProjection } from '@talpa/service-kit/events/projection';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';

/** Keeps users' plans, which say how long requests are kept. */
export function projectPlans(base: ServiceBase, lifecycle: Lifecycle): void {
  runBatchProjection('stats', 'subscription', keepPlans, base, lifecycle);
}

export async function keepPlans({ sql }: Tx, incoming: readonly EventOf<'subscription'>[]): Promise<void> {
  // In one order everywhere, so that two writers never wait for each other.
  await sql`
    insert into plans (user_id, tier, expires_at, version)
    select distinct on (id) id, case when deleted then null else tier end, "expiresAt", version
    from jsonb_to_recordset(${sql.json([...incoming])}) as one (
      id bigint, tier text, "expiresAt" timestamptz, version integer, deleted boolean)
    order by id, version desc
    on conflict (user_id) do update set
      tier = excluded.tier, expires_at = excluded.expires_at, version = excluded.version
    where plans.version < excluded.version`;
}
