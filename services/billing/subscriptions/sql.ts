import {
  type EffectiveEntitlement,
  type EventOf,
  entitlementAt,
  type Subscription,
  type Tier,
} from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';

export interface SubscriptionRow {
  userId: number;
  tier: Tier | null;
  proxyLimit: number;
  expiresAt: Date | null;
  commandVersion: number;
  version: number;
  deleted: boolean;
}

export async function findSubscription(sql: AnySql, userId: number): Promise<SubscriptionRow | undefined> {
  const [row] = await sql<SubscriptionRow[]>`select * from subscriptions where user_id = ${userId}`;
  return row;
}

/** The user's row, made if missing and held until the transaction ends. */
export async function lockSubscription(tx: Tx, userId: number): Promise<SubscriptionRow> {
  await tx.sql`insert into subscriptions (user_id) values (${userId}) on conflict do nothing`;
  const [row] = await tx.sql<SubscriptionRow[]>`
    select * from subscriptions where user_id = ${userId} for update`;
  if (!row) throw new Error('a locked row vanished');
  return row;
}

/** What a user may have now, or had then. */
export function effective(row: SubscriptionRow | undefined, at = new Date()): EffectiveEntitlement {
  if (!row) return { tier: null, proxyLimit: 0, expiresAt: null, expiredTier: null };
  const { tier, proxyLimit, expiresAt } = row;
  return entitlementAt({ tier, proxyLimit, expiresAt: expiresAt?.toISOString() ?? null }, at);
}

/** Stores a changed row and publishes it. @returns the new version */
export async function saveSubscription(tx: Tx, row: SubscriptionRow): Promise<number> {
  const version = row.version + 1;
  await tx.sql`
    update subscriptions set
      tier = ${row.tier}, proxy_limit = ${row.proxyLimit}, expires_at = ${row.expiresAt},
      command_version = ${row.commandVersion}, deleted = ${row.deleted}, version = ${version}
    where user_id = ${row.userId}`;
  await tx.emit('subscription', snapshotOf({ ...row, version }));
  tx.invalidate(row.userId);
  return version;
}

/** What others may know of a subscription. */
export function snapshotOf(row: SubscriptionRow): EventOf<'subscription'> {
  const { tier, proxyLimit, commandVersion, version, deleted } = row;
  const expiresAt = row.expiresAt?.toISOString() ?? null;
  return { id: row.userId, tier, proxyLimit, expiresAt, commandVersion, version, deleted };
}

/** A subscription as the API shows it. */
export function publicSubscription(now: EffectiveEntitlement): Subscription {
  return { tier: now.tier, expiry: now.expiresAt, proxyLimit: now.proxyLimit, expiredTier: now.expiredTier };
}
