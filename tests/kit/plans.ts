import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Talpa } from '../../launcher/system.ts';
import type { Client } from './client.ts';
import { until } from './wait.ts';

/** Lets somebody's plan end at a time, as billing would store and publish it; resolves when all services have applied it. */
export async function endPlan(talpa: Talpa, client: Client, expiresAt: Date): Promise<void> {
  const { id } = await client.call('GET /api/user', {});
  await publishExpiry(talpa, id, expiresAt);
  const isPast = expiresAt.getTime() < Date.now();
  await until('all services to know when the plan ends', async () => {
    const user = await client.call('GET /api/user', {});
    const { expiry, expiredTier } = await client.call('GET /api/user/subscription', {});
    if (isPast) return expiredTier !== null && user.subscriptionTier === 'free';
    return [user.subscriptionExpiry, expiry].every((time) => time === expiresAt.toISOString());
  });
}

/** Brings a user's expiry forward, as billing would store and publish it. */
export async function publishExpiry(talpa: Talpa, userId: number, expiresAt: Date): Promise<void> {
  const sql = openDatabase(talpa.stores.adminUrl, 1);
  await sql`
    with changed as (
      update billing.subscriptions set expires_at = ${expiresAt}, version = version + 1
      where user_id = ${userId} returning *)
    insert into billing.outbox (subject, payload)
    select 'event.subscription.' || user_id, jsonb_build_object(
      'id', user_id, 'tier', tier, 'proxyLimit', proxy_limit, 'expiresAt', ${expiresAt.toISOString()}::text,
      'commandVersion', command_version, 'version', version, 'deleted', deleted)
    from changed`;
  await sql.end();
}
