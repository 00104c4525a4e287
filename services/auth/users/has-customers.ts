import type { InternalCalls, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';

/** Whether anybody but administrators has an account. */
export const hasCustomers: Verb<InternalCalls['auth.hasCustomers'], AuthContext> = async ({ sql }) => {
  const rows = await sql<{ has: boolean }[]>`select exists (select from users where not is_admin) as has`;
  return { has: rows[0]?.has ?? false };
};
