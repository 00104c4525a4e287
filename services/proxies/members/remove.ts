import type { Routes, Verb } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { lockProxy } from '../proxy/find.ts';
import { saveMembers } from '../proxy/membership.ts';
import { notifyOfEnd } from '../proxy/notify-member.ts';
import type { ProxyRow } from '../proxy/row.ts';
import { announceSharing } from './notify.ts';
import { findMember, type MemberRow } from './sql.ts';

/** Ends somebody's membership at once, or withdraws an invitation. */
export const removeMember: Verb<
  Routes['DELETE /api/tunnel-configs/:id/members/:memberId'],
  ProxiesContext
> = async (context, { id, memberId }) => {
  const removed = await context.transaction(async (tx) => {
    const proxy = await lockProxy(tx, id, context);
    const member = await findMember(tx.sql, memberId, id);
    await deleteMember(tx, proxy, member);
    const isSelf = member.userId === context.actor.userId;
    if (member.userId !== null && member.joinedAt && !isSelf)
      await notifyOfEnd(tx, proxy, member.userId, member.id);
    return member;
  });
  if (removed.userId !== null) announceSharing(context.nc, removed.userId);
  return null;
};

/** Deletes a member or an invitation of a locked proxy, and writes it into the audit trail. */
export async function deleteMember(tx: Tx, proxy: ProxyRow, member: MemberRow): Promise<void> {
  await tx.sql`delete from members where id = ${member.id}`;
  await saveMembers(tx, proxy);
  await tx.audit({ ...auditOf(proxy), changes: { member: { from: member.username } } });
}
