import type { CommandOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { watchCopies } from '@talpa/service-kit/events/watch';
import type { AuthContext } from '../app.ts';

type Order = CommandOf<'billing.setSubscription'>;

/**
 * Runs a transaction that ends in an order to billing, and waits until billing's answer has come back to
 * everybody who shows or enforces it (or a second has passed: the order itself is not lost).
 */
export async function orderEntitlement(
  context: AuthContext,
  userId: number,
  work: (tx: Tx) => Promise<Order>,
): Promise<void> {
  const watch = await watchCopies(context.nc, 'subscription', userId, ['auth', 'proxies']);
  try {
    const order = await context.transaction(async (tx) => {
      const wanted = await work(tx);
      await tx.command('billing.setSubscription', wanted);
      return wanted;
    });
    await context.whileWaiting(watch.reached((snapshot) => snapshot.commandVersion >= order.version));
  } finally {
    watch.close();
  }
}
