import type { EventOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runProjection } from '@talpa/service-kit/events/projection';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';

/** Keeps auth's projection of billing's subscriptions, for display. */
export const projectEntitlements = (base: ServiceBase, lifecycle: Lifecycle): void =>
  runProjection('auth', 'subscription', projectSubscription, base, lifecycle);

/** Stores one as it is now; one that was renewed has not run out any more. */
export async function projectSubscription(
  tx: Tx,
  { id, tier, proxyLimit, expiresAt, version, deleted }: EventOf<'subscription'>,
): Promise<void> {
  await tx.sql`
    insert into entitlements (user_id, tier, proxy_limit, expires_at, version, deleted)
    values (${id}, ${tier}, ${proxyLimit}, ${expiresAt}, ${version}, ${deleted})
    on conflict (user_id) do update set
      tier = excluded.tier, proxy_limit = excluded.proxy_limit, expires_at = excluded.expires_at,
      version = excluded.version, deleted = excluded.deleted, lapsed = false
    where entitlements.version < excluded.version`;
  await tx.sql`
    update users set current_tier = tier from entitlements
    where users.id = ${id} and entitlements.user_id = users.id and not lapsed`;
  tx.invalidate(id);
}
