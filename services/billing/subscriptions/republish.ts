import type { InternalCalls, Verb } from '@talpa/contracts';
import { type Owned, publishRowAgain, republish as republishAll } from '@talpa/service-kit/events/republish';
import type { BillingContext } from '../context.ts';
import { type SubscriptionRow, snapshotOf } from './sql.ts';

const subscriptions: Owned<'subscription'> = {
  name: 'subscription',
  // Version 0 is a row that was never published.
  read: async (sql, { after, limit, lock }) => {
    const rows = await sql<SubscriptionRow[]>`
      select * from subscriptions where user_id > ${after} and version > 0
      order by user_id limit ${limit} ${lock ? sql`for share` : sql``}`;
    return rows.map((row) => ({ place: row.userId, snapshot: snapshotOf(row) }));
  },
};

/** All rows that others keep projections of. */
export const owned: readonly Owned[] = [subscriptions];

/** Publishes all rows again. */
export const republish: Verb<InternalCalls['billing.republish'], BillingContext> = async (context) => ({
  count: await context.whileWaiting(republishAll(context, owned)),
});

/** Publishes one row again. */
export const republishRow: Verb<InternalCalls['billing.republishRow'], BillingContext> = async (
  context,
  { id },
) => ({
  published: await publishRowAgain(context, owned, Number(id)),
});
