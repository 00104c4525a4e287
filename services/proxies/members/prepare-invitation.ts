import type { InternalCalls, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { isCurrent } from '../proxy/membership.ts';
import { makeToken } from './sql.ts';

/** Where the email with an invitation's link goes. Links of earlier attempts go on working: one of them may have arrived. */
export const prepareInvitation: Verb<InternalCalls['proxies.prepareInvitation'], ProxiesContext> = async (
  { sql },
  { memberId },
) => {
  const { token, hash } = makeToken();
  const [row] = await sql<{ email: string }[]>`
    update members set token_hashes = array_append(token_hashes, ${hash}::bytea)
    where id = ${memberId} and joined_at is null and email is not null and ${isCurrent(sql)}
      and exists (select 1 from proxies where proxies.id = proxy_id and removed_at is null)
    returning email`;
  return row ? { address: row.email, token } : null;
};
