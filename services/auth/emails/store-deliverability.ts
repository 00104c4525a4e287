import type { InternalCalls, Verb } from '@talpa/contracts';
import { preferencesSubject } from '@talpa/service-kit/bus/subjects';
import type { AuthContext } from '../context.ts';
import { storeUndeliverable } from './sql.ts';

/** Stores whether a mail server refuses an address for good. The user's open pages show it immediately. */
export const storeDeliverability: Verb<InternalCalls['auth.storeDeliverability'], AuthContext> = async (
  { transaction, nc },
  { addressId, isUndeliverable },
) => {
  const stored = await transaction(async (tx) => {
    const row = await storeUndeliverable(tx, addressId, isUndeliverable);
    if (row) tx.invalidate(row.userId);
    return row;
  });
  if (stored) nc.publish(preferencesSubject(stored.userId));
  return { undeliverableSince: stored?.undeliverableAt?.toISOString() ?? null };
};
