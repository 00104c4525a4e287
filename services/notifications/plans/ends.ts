import { type NotificationContent, planOf, type Tier } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { insertNotifications } from '../inbox/insert.ts';

const intervalMs = 60_000;
const batch = 200;
/** How many days before the end of a plan its user is notified. */
const noticeDays = 3;

interface Ending {
  readonly userId: number;
  readonly tier: Tier;
  readonly expiresAt: Date;
}

/** Notifies users that their plan ends soon, and that it has ended: once for each end. */
export function notifyEnds(base: ServiceBase, lifecycle: Lifecycle): void {
  lifecycle.every(
    intervalMs,
    async (signal) => {
      while (!signal.aborted && (await base.transaction(notifySome)) === batch);
    },
    { failed: 'ends of plans could not be looked for, retrying' },
  );
}

/** @returns the number of plans whose users were notified */
export async function notifySome(tx: Tx): Promise<number> {
  const { sql } = tx;
  const ended = await sql<Ending[]>`
    update plans set ended_notified_for = expires_at, ending_notified_for = expires_at where user_id in (
      select user_id from plans
      where tier is not null and not deleted and expires_at <= now() and expires_at is distinct from ended_notified_for
      order by expires_at limit ${batch} for update skip locked)
    returning user_id, tier, expires_at`;
  const ending = await sql<Ending[]>`
    update plans set ending_notified_for = expires_at where user_id in (
      select user_id from plans
      where tier is not null and not deleted and expires_at is distinct from ended_notified_for
        and expires_at between now() and now() + ${`${noticeDays} days`}::interval
        and expires_at is distinct from ending_notified_for
      order by expires_at limit ${batch - ended.length} for update skip locked)
    returning user_id, tier, expires_at`;
  const notificationsOf = (rows: readonly Ending[], contentOf: (row: Ending) => NotificationContent) =>
    rows
      .filter(({ tier }) => planOf(tier).priceCents > 0)
      .map((row) => ({ userId: row.userId, content: contentOf(row) }));
  await insertNotifications(tx, [
    ...notificationsOf(ended, ({ tier }) => ({ kind: 'plan_ended', params: { plan: tier } })),
    ...notificationsOf(ending, ({ tier, expiresAt }) => ({
      kind: 'plan_ending',
      params: { plan: tier, endsAt: expiresAt.toISOString() },
    })),
  ]);
  return ended.length + ending.length;
}
