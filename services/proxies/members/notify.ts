import type { NatsConnection } from '@nats-io/transport-node';
import type { MemberContent } from '@talpa/contracts';
import { sharingSubject } from '@talpa/service-kit/bus/subjects';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxyRow } from '../proxy/row.ts';
import type { MemberRow } from './sql.ts';

type About = Pick<ProxyRow, 'id' | 'serverName'>;
const about = (proxy: About) => ({ proxyId: proxy.id, proxy: proxy.serverName });

/** Orders the notification of a user who is invited by name; where nobody has that name the same order is for nobody, and takes as long. */
export async function notifyOfInvitation(tx: Tx, proxy: About, invited: MemberRow): Promise<void> {
  if (invited.username === null || invited.invitedUntil === null) return;
  const invitedUntilAt = invited.invitedUntil.toISOString();
  await notify(tx, invited.userId, invited.id, {
    kind: 'proxy_invitation',
    params: { ...about(proxy), role: invited.role, invitedUntilAt },
  });
}

/** Orders the notification of an owner who has a new member. */
export async function notifyOfJoining(tx: Tx, proxy: About & Pick<ProxyRow, 'userId'>, member: MemberRow) {
  await notify(tx, proxy.userId, member.id, {
    kind: 'member_joined',
    params: { ...about(proxy), role: member.role, member: member.username ?? '?' },
  });
}

/** Orders the notification of a user who is no member any more, by no choice of theirs. */
export async function notifyOfEnd(tx: Tx, proxy: About, userId: number, memberId: number): Promise<void> {
  await notify(tx, userId, memberId, { kind: 'membership_ended', params: about(proxy) });
}

const notify = (tx: Tx, userId: number | null, memberId: number, content: MemberContent) =>
  tx.command('notifications.notifyOfMember', { userId, memberId, content });

/** Has open pages of a user fetch again what is shared with them. After COMMIT. */
export function announceSharing(nc: NatsConnection, userId: number): void {
  nc.publish(sharingSubject(userId));
}
