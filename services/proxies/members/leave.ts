import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProxiesContext } from '../context.ts';
import { lockProxy } from '../proxy/find.ts';
import { isCurrent } from '../proxy/membership.ts';
import { notifyOfLeaving } from '../proxy/notify-member.ts';
import { announceSharing } from './notify.ts';
import { deleteMember } from './remove.ts';
import { type MemberRow, selectMembers } from './sql.ts';

/** Ends the caller's own membership. */
export const leaveProxy: Verb<Routes['POST /api/tunnel-configs/:id/leave'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { userId } = context.actor;
  await context.transaction(async (tx) => {
    const proxy = await lockProxy(tx, id, context);
    const [member] = await tx.sql<MemberRow[]>`
      ${selectMembers(tx.sql)} where proxy_id = ${id} and members.user_id = ${userId}
        and joined_at is not null and ${isCurrent(tx.sql)}`;
    // Owners and administrators reach it without being members.
    if (!member) throw new AppError('member_not_found');
    await deleteMember(tx, proxy, member);
    await notifyOfLeaving(tx, proxy, member);
  });
  announceSharing(context.nc, userId);
  return null;
};
