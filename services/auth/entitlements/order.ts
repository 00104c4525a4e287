import type { CommandOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { watchProjections } from '@talpa/service-kit/events/watch';
import type { AuthContext } from '../context.ts';

type Order = Omit<CommandOf<'billing.setSubscription'>, 'at'>;

/**
 * Runs a transaction that ends in an order to billing, and waits until billing's answer has come back to
 * all services that show or enforce it, and the user's name to proxies (or a second has passed: nothing is lost).
 */
export async function orderEntitlement(
  context: AuthContext,
  userId: number,
  work: (tx: Tx) => Promise<Order>,
): Promise<void> {
  const watch = await watchProjections(context, 'subscription', userId, ['auth', 'proxies']);
  const named = await watchProjections(context, 'user', userId, ['proxies']);
  try {
    const order = await context.transaction(async (tx) => {
      const wanted = await work(tx);
      await tx.command('billing.setSubscription', { ...wanted, at: new Date().toISOString() });
      return wanted;
    });
    await context.whileWaiting(
      Promise.all([
        watch.reached((snapshot) => snapshot.commandVersion >= order.version),
        named.reached((snapshot) => snapshot.version >= order.version),
      ]),
    );
  } finally {
    watch.close();
    named.close();
  }
}
