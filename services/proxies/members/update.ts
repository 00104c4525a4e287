import type { Routes, Verb } from '@talpa/contracts';
import { changesBetween, refuseEditConflict } from '@talpa/service-kit/database/changes';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { lockProxy } from '../proxy/find.ts';
import { saveMembers } from '../proxy/membership.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { grantOf, grantState, refuseGreaterGrant } from './grant.ts';
import { announceSharing } from './notify.ts';
import { findMember, publicMember } from './sql.ts';

/** Changes what a member may do and until when, or the same of an open invitation. */
export const updateMember: Verb<
  Routes['PUT /api/tunnel-configs/:id/members/:memberId'],
  ProxiesContext
> = async (context, input) => {
  const grant = grantOf(input);
  const member = await context.transaction(async (tx) => {
    const proxy = await lockProxy(tx, input.id, context);
    refuseSuspended(proxy, context.actor);
    const before = await findMember(tx.sql, input.memberId, input.id);
    refuseEditConflict(input.expected, grantState(before));
    await refuseGreaterGrant(tx.sql, proxy, context, grant);
    await tx.sql`
      update members set role = ${grant.role}, member_until = ${grant.memberUntil} where id = ${before.id}`;
    await saveMembers(tx, proxy);
    const changes = changesBetween(grantState(before), grantState(grant));
    if (Object.keys(changes).length > 0)
      await tx.audit({
        ...auditOf(proxy),
        changes: { member: { to: before.username }, ...changes },
      });
    return { ...before, ...grant };
  });
  if (member.userId !== null) announceSharing(context.nc, member.userId);
  return publicMember(member);
};
