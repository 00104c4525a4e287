import { randomBytes } from 'node:crypto';
import { type Routes, tunnelProviders, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { findProxy } from '../proxy/find.ts';
import { saveProxy } from '../proxy/row.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { lockWithServer } from '../server/find.ts';
import { refuseFull } from '../server/join.ts';
import { withFreshProjections } from '../users/fresh.ts';
import { readDomainLimit } from '../users/limits.ts';
import { checkRecords } from './check.ts';
import { customHostOf } from './host.ts';
import { countDomains, type DomainRow, findDomain, isTaken, publicDomain } from './row.ts';
import { untilApplied } from './settle.ts';

const tokenBytes = 24;

/** Adds a domain to a proxy and checks it immediately. */
export const addDomain: Verb<Routes['POST /api/tunnel-configs/:id/domains'], ProxiesContext> = async (
  context,
  { id, host: typed },
) => {
  const { actor, settings } = context;
  const proxy = await findProxy(context.reads, id, context);
  if (!tunnelProviders[settings.TUNNEL_PROVIDER].customDomains) throw new AppError('domains_unavailable');
  const host = customHostOf(typed, settings);
  const insert = async (tx: Tx) => {
    const { userId } = proxy;
    // The owner before the proxy, as where a user is suspended: two that wait for each other would fail.
    const limit = await readDomainLimit(tx.sql, userId, true);
    const { locked, row } = await lockWithServer(tx, id, context);
    refuseSuspended(row, actor);
    if ((await countDomains(tx.sql, userId)) >= limit)
      throw new AppError('domain_limit_reached', { params: { limit } });
    await refuseFull(tx, locked, 1);
    if (await isTaken(tx.sql, { host, userId, id: 0 }))
      throw new AppError('domain_taken', { params: { domain: host } });
    const token = randomBytes(tokenBytes).toString('base64url');
    const [added] = await tx.sql<Pick<DomainRow, 'id'>[]>`
      insert into domains (proxy_id, user_id, host, token, check_at)
      values (${id}, ${userId}, ${host}, ${token}, now() + interval '30 seconds') returning id`;
    if (!added) throw new AppError('internal');
    await saveProxy(tx, row);
    await tx.audit({ ...auditOf(row), changes: { domain: { to: host } } });
    return added.id;
  };
  const added = await withFreshProjections(context, proxy.userId, () => context.transaction(insert));
  await untilApplied(context, proxy, () => checkRecords(context, added, { isAwaited: true }));
  return publicDomain(await findDomain(context.sql, added, id), proxy);
};
