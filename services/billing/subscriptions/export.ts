import type { InternalCalls, Verb } from '@talpa/contracts';
import type { BillingContext } from '../context.ts';
import { effective, findSubscription, publicSubscription } from './sql.ts';

/** The user's own export of their plan. */
export const exportUser: Verb<InternalCalls['billing.exportUser'], BillingContext> = async (
  { sql },
  input,
) => ({ subscription: publicSubscription(effective(await findSubscription(sql, input.userId))) });
