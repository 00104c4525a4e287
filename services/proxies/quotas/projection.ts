import type { EventOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runProjection } from '@talpa/service-kit/events/projection';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';

/** Keeps the projection of billing's subscriptions that the quota is enforced with. */
export function projectEntitlements(base: ServiceBase, lifecycle: Lifecycle): void {
  runProjection('proxies', 'subscription', applySubscription, base, lifecycle);
}

/** Takes over what is newer. */
export async function applySubscription(
  tx: Tx,
  { id, tier, proxyLimit, expiresAt, version }: EventOf<'subscription'>,
): Promise<void> {
  await tx.sql`
    insert into quotas (user_id, tier, proxy_limit, expires_at, version)
    values (${id}, ${tier}, ${proxyLimit}, ${expiresAt}, ${version})
    on conflict (user_id) do update set
      tier = excluded.tier, proxy_limit = excluded.proxy_limit, expires_at = excluded.expires_at,
      version = excluded.version
    where quotas.version < excluded.version`;
  tx.invalidate(id);
}
