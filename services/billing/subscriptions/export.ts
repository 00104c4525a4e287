import type { InternalCalls, Verb } from '@talpa/contracts';
import type { BillingContext } from '../app.ts';
import { effective, findSubscription, publicSubscription } from './sql.ts';

/** What billing holds about a user, for his own eyes. */
export const exportUser: Verb<InternalCalls['billing.exportUser'], BillingContext> = async (
  { sql },
  input,
) => ({ subscription: publicSubscription(effective(await findSubscription(sql, input.userId))) });
