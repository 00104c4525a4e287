import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { lockProxy } from '../proxy/find.ts';
import { saveProxy } from '../proxy/row.ts';
import { hasPassedAll, type VisitRow } from './list-visits.ts';

/** Ends a visit; a trigger has every edge cut what it has open. */
export const endVisit: Verb<Routes['DELETE /api/tunnel-configs/:id/visits/:visitId'], ProxiesContext> = (
  context,
  { id, visitId },
) =>
  context.transaction(async (tx) => {
    const proxy = await lockProxy(tx, id, context);
    const [ended] = await tx.sql<Pick<VisitRow, 'methods' | 'username'>[]>`
      delete from visits where id = ${visitId} and proxy_uuid = ${proxy.uuid}
      returning methods, (select username from users where users.user_id = visits.user_id)`;
    if (!ended) throw new AppError('visit_not_found');
    // Its pages follow.
    await saveProxy(tx, proxy);
    const { username, methods } = ended;
    const who = username === null ? {} : { username: { from: username } };
    await tx.audit({ ...auditOf(proxy), changes: { ...who, methods: { from: methods.join(', ') } } });
    return null;
  });

/** Ends all visits of a proxy, those that a sign-in or a code is about to begin included. */
export const endAllVisits: Verb<Routes['DELETE /api/tunnel-configs/:id/visits'], ProxiesContext> = (
  context,
  { id },
) =>
  context.transaction(async (tx) => {
    const proxy = await lockProxy(tx, id, context);
    // That waits for visits that are just beginning.
    await tx.sql`select 1 from access_policies where proxy_uuid = ${proxy.uuid} for update`;
    const [ended] = await tx.sql<{ count: number }[]>`
      select count(*) as count from visits join access_policies using (proxy_uuid)
      where proxy_uuid = ${proxy.uuid} and ${hasPassedAll(tx.sql)}`;
    await tx.sql`delete from visits where proxy_uuid = ${proxy.uuid}`;
    await tx.sql`delete from access_codes where proxy_uuid = ${proxy.uuid}`;
    await tx.sql`delete from access_email_codes where proxy_uuid = ${proxy.uuid}`;
    await saveProxy(tx, proxy);
    await tx.audit({ ...auditOf(proxy), changes: { visits: { from: ended?.count ?? 0 } } });
    return null;
  });
