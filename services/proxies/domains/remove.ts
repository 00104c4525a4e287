import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { findProxy, lockProxy } from '../proxy/find.ts';
import { saveProxy } from '../proxy/row.ts';
import { applyDomains, findDomain } from './row.ts';
import { untilApplied } from './settle.ts';

/** Removes a domain from a proxy. No other user gets the host before the provider leads it nowhere. */
export const removeDomain: Verb<
  Routes['DELETE /api/tunnel-configs/:id/domains/:domainId'],
  ProxiesContext
> = async (context, { id, domainId }) => {
  const proxy = await findProxy(context.reads, id, context);
  await untilApplied(context, proxy, () =>
    context.transaction(async (tx) => {
      const row = await lockProxy(tx, id, context);
      const { host, held } = await findDomain(tx.sql, domainId, id);
      await tx.audit({ ...auditOf(row), changes: { domain: { from: host } } });
      if (!held) {
        await tx.sql`delete from domains where id = ${domainId}`;
        return saveProxy(tx, row);
      }
      await tx.sql`
        update domains set served = false, removed_at = now(), check_at = null where id = ${domainId}`;
      return applyDomains(tx, row);
    }),
  );
  return null;
};
