import type { EventOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runProjection } from '@talpa/service-kit/events/projection';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';

/** Keeps the projection of billing's subscriptions that the limits are enforced with. */
export function projectSubscriptions(base: ServiceBase, lifecycle: Lifecycle): void {
  runProjection('proxies', 'subscription', applySubscription, base, lifecycle);
}

/** Takes over what is newer. */
export async function applySubscription(
  tx: Tx,
  { id, tier, proxyLimit, expiresAt, version }: EventOf<'subscription'>,
): Promise<void> {
  await tx.sql`
    insert into users (user_id, tier, proxy_limit, expires_at, subscription_version)
    values (${id}, ${tier}, ${proxyLimit}, ${expiresAt}, ${version})
    on conflict (user_id) do update set
      tier = excluded.tier, proxy_limit = excluded.proxy_limit, expires_at = excluded.expires_at,
      subscription_version = excluded.subscription_version
    where users.subscription_version < excluded.subscription_version`;
  tx.invalidate(id);
}
