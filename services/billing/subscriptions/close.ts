import { keepCopy } from '@talpa/service-kit/events/copy';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { lockSubscription, saveSubscription } from './sql.ts';

/** Ends the subscription of a deleted user for good. */
export function closeWithUsers(base: ServiceBase, lifecycle: Lifecycle): void {
  keepCopy(
    'billing',
    'user',
    async (tx, user) => {
      if (!user.deleted) return;
      const row = await lockSubscription(tx, user.id);
      if (row.deleted) return;
      await saveSubscription(tx, { ...row, tier: null, proxyLimit: 0, expiresAt: null, deleted: true });
    },
    base,
    lifecycle,
  );
}
