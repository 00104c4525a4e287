import { forgetKeys } from '@talpa/service-kit/database/idempotency';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runProjection } from '@talpa/service-kit/events/projection';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { lockSubscription, saveSubscription } from './sql.ts';

/** Ends the subscription of a deleted user for good. */
export function closeWithUsers(base: ServiceBase, lifecycle: Lifecycle): void {
  runProjection(
    'billing',
    'user',
    async (tx, user) => {
      if (user.deleted) await closeWithUser(tx, user.id);
    },
    base,
    lifecycle,
  );
}

/** Whatever is ordered later does nothing any more. */
export async function closeWithUser(tx: Tx, userId: number): Promise<void> {
  const row = await lockSubscription(tx, userId);
  if (row.deleted) return;
  await forgetKeys(tx, userId);
  await saveSubscription(tx, { ...row, tier: null, proxyLimit: 0, expiresAt: null, deleted: true });
}
