import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { checkRecords } from './check.ts';
import { findDomain, publicDomain } from './row.ts';
import { untilApplied } from './settle.ts';

/** Another check so soon would find the same: the last one's result is the response. */
const pauseMs = 3_000;

/** Checks a domain's records now. */
export const checkDomain: Verb<
  Routes['POST /api/tunnel-configs/:id/domains/:domainId/check'],
  ProxiesContext
> = async (context, { id, domainId }) => {
  const proxy = await findProxy(context.reads, id, context);
  refuseSuspended(proxy, context.actor);
  const domain = await findDomain(context.reads, domainId, id);
  // One caller at a time gets to the name servers.
  const [mine] = await context.sql`
    update domains set checked_at = now()
    where id = ${domainId} and (checked_at is null or checked_at < now() - ${`${pauseMs} ms`}::interval)
    returning 1`;
  if (!mine) return publicDomain(domain, proxy);
  await untilApplied(context, proxy, () => checkRecords(context, domainId, { isAwaited: true }));
  return publicDomain(await findDomain(context.sql, domainId, id), proxy);
};
