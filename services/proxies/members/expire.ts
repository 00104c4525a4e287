import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { auditOf } from '../proxy/audited.ts';
import { lockAnyProxy } from '../proxy/find.ts';
import { isCurrent, saveMembers } from '../proxy/membership.ts';
import { notifyOfEnd } from '../proxy/notify-member.ts';
import { announceSharing } from './notify.ts';
import { type MemberRow, selectMembers } from './sql.ts';

/** What has ended counts no more in any call; this is for live streams, notifications and the audit trail. */
const everyMs = 5_000;
const batch = 50;

type ExpireContext = Pick<ServiceBase, 'sql' | 'nc' | 'transaction'>;

/** Deletes memberships and invitations that have ended. @returns how many */
async function deleteEnded({ sql, nc, transaction }: ExpireContext): Promise<number> {
  const ended = await sql<Pick<MemberRow, 'id' | 'proxyId'>[]>`
    select id, proxy_id from members
    where least(member_until, invited_until) <= now() and not (${isCurrent(sql)}) limit ${batch}`;
  for (const { id, proxyId } of ended) {
    const userId = await transaction(async (tx) => {
      const proxy = await lockAnyProxy(tx, proxyId);
      const [member] = await tx.sql<MemberRow[]>`
        ${selectMembers(tx.sql)} where members.id = ${id} and not (${isCurrent(tx.sql)})`;
      if (!member) return null;
      await tx.sql`delete from members where id = ${id}`;
      await saveMembers(tx, proxy);
      if (member.userId !== null && member.joinedAt) {
        await notifyOfEnd(tx, proxy, member.userId, id);
        const changes = { member: { from: member.username } };
        await tx.audit({ action: 'proxy.removeMember', ...auditOf(proxy), changes });
      }
      return member.userId;
    });
    if (userId !== null) announceSharing(nc, userId);
  }
  return ended.length;
}

/** Ends memberships and invitations when their time has come. */
export function startExpiry(base: ServiceBase, lifecycle: Lifecycle): void {
  const work = async () => {
    while ((await deleteEnded(base)) === batch);
  };
  lifecycle.every(everyMs, work, { failed: 'memberships that have ended could not be deleted, retrying' });
}
