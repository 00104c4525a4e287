import type { ServiceBase } from '@talpa/service-kit/service/service';
import { auditOf } from '../proxy/audited.ts';
import { type ProxyRow, saveProxy } from '../proxy/row.ts';
import type { ProxiesSettings } from '../settings.ts';
import { findProblem } from './look-up.ts';
import { notifyOfDomain } from './notify.ts';
import { applyDomains, type DomainRow, isTaken, targetOf } from './row.ts';
import { stateAfter } from './state.ts';

/** What a check needs: a verb's context, or the service itself. */
export interface CheckContext extends Pick<ServiceBase, 'sql' | 'transaction'> {
  readonly settings: Pick<ProxiesSettings, 'DNS_SERVERS'>;
}

/**
 * Checks a domain's records and stores what follows: it is served from now on, or no longer.
 * @param isAwaited by somebody who sees the result
 * @returns the proxy as it is then; null when nothing was changed there, or the domain is gone
 */
export async function checkRecords(
  { sql, transaction, settings }: CheckContext,
  id: number,
  { isAwaited = false, now = new Date() } = {},
): Promise<ProxyRow | null> {
  const [domain] = await sql<(DomainRow & Pick<ProxyRow, 'applied' | 'hostname'>)[]>`
    select domains.*, proxies.applied, proxies.hostname from domains join proxies on proxies.id = domains.proxy_id
    where domains.id = ${id} and domains.removed_at is null and proxies.removed_at is null`;
  if (!domain) return null;
  const target = targetOf(domain);
  const found = await findProblem(settings.DNS_SERVERS, { ...domain, target });
  return transaction(async (tx) => {
    const [proxy] = await tx.sql<ProxyRow[]>`
      select * from proxies where id = ${domain.proxyId} and removed_at is null for update`;
    if (!proxy) return null;
    await tx.sql`select lock_transaction(${`domain ${domain.host}`})`;
    const [row] = await tx.sql<DomainRow[]>`
      select * from domains where id = ${id} and removed_at is null for update`;
    if (!row) return null;
    // Who verifies it first has it.
    const problem = found === null && !row.held && (await isTaken(tx.sql, row)) ? 'domain_taken' : found;
    const next = stateAfter(row, problem, now);
    await tx.sql`update domains set ${tx.sql({ ...next })} where id = ${id}`;
    await notifyOfDomain(tx, proxy, row, next, isAwaited);
    const changes = { domain: { to: row.host } };
    if (next.state === 'verified' && row.state !== 'verified')
      await tx.audit({ action: 'proxy.verifyDomain', ...auditOf(proxy), changes });
    if (row.served && !next.served)
      await tx.audit({ action: 'proxy.loseDomain', ...auditOf(proxy), changes });
    if (row.served !== next.served) return applyDomains(tx, proxy);
    if (row.state !== next.state || row.problem !== next.problem) await saveProxy(tx, proxy);
    return null;
  });
}
