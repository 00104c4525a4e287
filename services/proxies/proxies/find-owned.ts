import type { InternalCalls, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';

/** Those of these proxies that the user has. */
export const findOwned: Verb<InternalCalls['proxies.findOwned'], ProxiesContext> = async (
  { sql },
  { userId, ids },
) => {
  const rows = await sql<{ id: number }[]>`
    select id from proxies
    where user_id = ${userId} and removed_at is null and id in ${sql([0, ...ids])}`;
  return { ids: rows.map(({ id }) => id) };
};
