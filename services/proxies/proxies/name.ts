import type { InternalCalls, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import type { ProxyRow } from '../proxy/row.ts';

type NamedRow = Pick<ProxyRow, 'uuid' | 'id' | 'serverName' | 'hostname' | 'ownerName' | 'removedAt'>;

/** What people call the proxies that an operator knows by their UUIDs. */
export const nameProxies: Verb<InternalCalls['proxies.nameProxies'], ProxiesContext> = async (
  { sql },
  { proxyIds },
) => {
  const rows = await sql<NamedRow[]>`
    select uuid, id, server_name, hostname, owner_name, removed_at from proxies where uuid = any(${sql.array([...proxyIds], 2950)})`;
  return rows.map(({ uuid, removedAt, ...names }) => ({
    ...names,
    proxyId: uuid,
    deleted: removedAt !== null,
  }));
};
