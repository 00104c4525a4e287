import { timingSafeEqual } from 'node:crypto';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { type InternalCalls, isAdminScope, type Scope, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { type RightsRow, rightsColumns, rightsOf } from '../sessions/rights.ts';
import { hashOfSecret } from './sql.ts';

interface KeyRow extends RightsRow {
  readonly name: string;
  readonly secretHash: Buffer;
  readonly scopes: Scope[];
  readonly proxyIds: number[] | null;
  readonly networks: string[];
  readonly expiresAt: Date | null;
  readonly noticeUse: boolean;
}

/**
 * What services believe about an API key, signed. A key does nothing while its owner is suspended. Use is stored at most once
 * a minute.
 */
export const authenticateApiKey: Verb<InternalCalls['auth.authenticateApiKey'], AuthContext> = async (
  context,
  { id, secret, address },
) => {
  const { sql, reads, signAssertion } = context;
  const [row] = await reads<KeyRow[]>`
    select ${rightsColumns(reads, context)}, api_keys.name, secret_hash, scopes, proxy_ids, networks, expires_at,
      coalesce(api_keys.last_used_at < now() - interval '1 minute', true) as notice_use
    from api_keys join users on users.id = api_keys.user_id
    where api_keys.id = ${id} and (expires_at is null or expires_at > now())`;
  if (!row || !timingSafeEqual(row.secretHash, hashOfSecret(secret))) throw new AppError('api_key_invalid');
  if (!isWithin(row.networks, address)) throw new AppError('api_key_address');
  const { name, scopes, proxyIds, expiresAt, suspensionReason } = row;
  if (suspensionReason !== null)
    throw new AppError('account_suspended', { params: { reason: suspensionReason } });
  if (row.noticeUse)
    await sql`update api_keys set last_used_at = now(), last_used_address = ${address} where id = ${id}`;
  const rights = rightsOf(row, context);
  const apiKey = {
    id,
    name,
    proxyIds,
    expiresAt: expiresAt?.getTime() ?? null,
    // Of somebody who was an administrator when they created it.
    scopes: rights.isAdmin ? scopes : scopes.filter((scope) => !isAdminScope(scope)),
  };
  return { assertion: signAssertion({ ...rights, sessionId: null, apiKey }) };
};

/** Whether an address is one of these, or in one of these networks; with none of them any is. */
function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  const list = new BlockList();
  for (const network of networks) {
    const [from = '', prefix] = network.split('/');
    const family = isIPv6(from) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(from, family);
    else list.addSubnet(from, Number(prefix), family);
  }
  const [plain = ''] = address.split('%');
  return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
