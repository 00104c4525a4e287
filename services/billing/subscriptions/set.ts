import { type CommandOf, monthsAfter } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runCommands } from '@talpa/service-kit/events/commands';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { effective, lockSubscription, saveSubscription } from './sql.ts';

const name = 'billing.setSubscription';

/** Gives users what administrators order for them. */
export function obeyAdministrators(base: ServiceBase, lifecycle: Lifecycle): void {
  runCommands(name, setSubscription, base, lifecycle, { concurrency: 8 });
}

/**
 * Sets tier and limit as given, and the expiry from the months. Without months the tier one is on keeps its expiry, a
 * new one has none: that is also one that had run out. Older orders do nothing.
 */
export async function setSubscription(tx: Tx, order: CommandOf<typeof name>): Promise<void> {
  const row = await lockSubscription(tx, order.userId);
  if (row.deleted || row.commandVersion >= order.version) return;
  const before = effective(row, new Date(order.at));
  const kept = before.tier === order.tier && before.expiresAt ? new Date(before.expiresAt) : null;
  const expiresAt = order.months === undefined ? kept : monthsAfter(new Date(order.at), order.months);
  await saveSubscription(tx, {
    ...row,
    tier: order.tier,
    proxyLimit: order.proxyLimit,
    expiresAt,
    commandVersion: order.version,
  });
}
