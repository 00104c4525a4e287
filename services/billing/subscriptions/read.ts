import type { InternalCalls, Verb } from '@talpa/contracts';
import type { BillingContext } from '../context.ts';
import { findSubscription, snapshotOf } from './sql.ts';

/** The snapshot that a projection may still lack. */
export const readSubscription: Verb<InternalCalls['billing.readSubscription'], BillingContext> = async (
  { reads },
  { userId },
) => {
  const row = await findSubscription(reads, userId);
  return row ? snapshotOf(row) : null;
};
