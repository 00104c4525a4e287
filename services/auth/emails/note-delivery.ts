import type { InternalCalls, Verb } from '@talpa/contracts';
import { preferencesSubject } from '@talpa/service-kit/bus/subjects';
import type { AuthContext } from '../context.ts';
import { noteUndeliverable } from './sql.ts';

/** Stores whether a mail server refuses an address for good. The user's open pages show it immediately. */
export const noteDelivery: Verb<InternalCalls['auth.noteDelivery'], AuthContext> = async (
  { transaction, nc },
  { addressId, isUndeliverable },
) => {
  const noted = await transaction(async (tx) => {
    const row = await noteUndeliverable(tx, addressId, isUndeliverable);
    if (row) tx.invalidate(row.userId);
    return row;
  });
  if (noted) nc.publish(preferencesSubject(noted.userId));
  return { undeliverableSince: noted?.undeliverableAt?.toISOString() ?? null };
};
