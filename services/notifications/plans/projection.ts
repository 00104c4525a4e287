import type { EventOf, NotificationContent } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runProjection } from '@talpa/service-kit/events/projection';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { insertNotifications } from '../inbox/insert.ts';
import { effective, type KnownPlan } from './limit.ts';

/** Keeps what plans users have, and notifies them of changes. */
export function followPlans(base: ServiceBase, lifecycle: Lifecycle): void {
  runProjection('notifications', 'subscription', storePlan, base, lifecycle);
}

/** Compares a snapshot with what was known. The first snapshot of a plan notifies of nothing, even if the plan has ended already. */
async function storePlan(tx: Tx, snapshot: EventOf<'subscription'>): Promise<void> {
  const { id: userId, tier, proxyLimit, version, deleted } = snapshot;
  const expiresAt = snapshot.expiresAt === null ? null : new Date(snapshot.expiresAt);
  const [before] = await tx.sql<KnownPlan[]>`select * from plans where user_id = ${userId} for update`;
  const { count } = await tx.sql`
    insert into plans (user_id, tier, proxy_limit, expires_at, version, deleted, ended_notified_for)
    values (${userId}, ${tier}, ${proxyLimit}, ${expiresAt}, ${version}, ${deleted},
      ${expiresAt && expiresAt <= new Date() ? expiresAt : null})
    on conflict (user_id) do update set
      tier = excluded.tier, proxy_limit = excluded.proxy_limit, expires_at = excluded.expires_at,
      version = excluded.version, deleted = excluded.deleted
    where plans.version < excluded.version`;
  if (!before || count === 0 || deleted) return;
  const content = changeOf(before, { tier, proxyLimit, expiresAt });
  if (content) await insertNotifications(tx, [{ userId, content }]);
}

/** The notification of a changed plan: it is another one, none, or goes on for longer. */
function changeOf(
  before: KnownPlan,
  after: Omit<KnownPlan, 'version' | 'deleted'>,
): NotificationContent | null {
  const [old, now] = [effective(before), effective(after)];
  const isRenewed =
    now.tier !== null &&
    now.tier === before.tier &&
    before.expiresAt !== null &&
    now.expiresAt !== null &&
    now.expiresAt > before.expiresAt.toISOString();
  if (isRenewed && now.tier && now.expiresAt)
    return { kind: 'plan_renewed', params: { plan: now.tier, endsAt: now.expiresAt } };
  if (now.tier === old.tier) return null;
  if (now.tier !== null) return { kind: 'plan_changed', params: { from: old.tier, plan: now.tier } };
  return old.tier && { kind: 'plan_removed', params: { plan: old.tier } };
}
