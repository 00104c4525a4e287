import type { InternalCalls, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../app.ts';
import { type ProxyRow, publicProxy } from './row.ts';

/** What proxies holds about a user, for his own eyes. */
export const exportUser: Verb<InternalCalls['proxies.exportUser'], ProxiesContext> = async (
  { sql },
  input,
) => {
  const rows = await sql<ProxyRow[]>`
    select * from proxies where user_id = ${input.userId} and removed_at is null order by id limit 1000`;
  return { proxies: rows.map(publicProxy) };
};
