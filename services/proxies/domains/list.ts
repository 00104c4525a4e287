import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxies/row.ts';
import { readDomainLimit } from '../quotas/sql.ts';
import { countDomains, domainsOf } from './row.ts';

/** A proxy's custom domains. */
export const listDomains: Verb<Routes['GET /api/tunnel-configs/:id/domains'], ProxiesContext> = async (
  { reads, actor, settings },
  { id },
) => {
  const proxy = await findProxy(reads, id, actor);
  const [domains, limit, used] = await Promise.all([
    domainsOf(reads, [proxy]),
    readDomainLimit(reads, proxy.userId),
    countDomains(reads, proxy.userId),
  ]);
  const available = settings.TUNNEL_PROVIDER !== 'cloudflare';
  return { domains: domains.get(id) ?? [], limit, used, available };
};
