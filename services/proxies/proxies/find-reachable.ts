import type { InternalCalls, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { isCurrent } from '../proxy/membership.ts';

/** Those of these proxies that the user owns or is a member of. */
export const findReachable: Verb<InternalCalls['proxies.findReachable'], ProxiesContext> = async (
  { sql },
  { userId, ids },
) => {
  const rows = await sql<{ id: number }[]>`
    select id from proxies
    where removed_at is null and id in ${sql([0, ...ids])} and (user_id = ${userId} or exists (
      select 1 from members
      where members.proxy_id = proxies.id and members.user_id = ${userId} and joined_at is not null and ${isCurrent(sql)}))`;
  return { ids: rows.map(({ id }) => id) };
};
