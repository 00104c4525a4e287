import { type Routes, tunnelProviders, type Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';
import { readDomainLimit } from '../users/limits.ts';
import { countDomains, domainsOf } from './row.ts';

/** A proxy's custom domains. */
export const listDomains: Verb<Routes['GET /api/tunnel-configs/:id/domains'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { reads, settings } = context;
  const proxy = await findProxy(reads, id, context);
  const [domains, limit, used] = await Promise.all([
    domainsOf(reads, [proxy]),
    readDomainLimit(reads, proxy.userId),
    countDomains(reads, proxy.userId),
  ]);
  const available = tunnelProviders[settings.TUNNEL_PROVIDER].customDomains;
  return { domains: domains.get(id) ?? [], limit, used, available };
};
