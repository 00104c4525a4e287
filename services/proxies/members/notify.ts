import type { NatsConnection } from '@nats-io/transport-node';
import { sharingSubject } from '@talpa/service-kit/bus/subjects';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { type About, about, notifyOfMember, type OfOwner } from '../proxy/notify-member.ts';
import type { MemberRow } from './sql.ts';

/** Orders the notification of a user who is invited by name; where nobody has that name the same order is for nobody, and takes as long. */
export async function notifyOfInvitation(tx: Tx, proxy: About, invited: MemberRow): Promise<void> {
  if (invited.username === null || invited.invitedUntil === null) return;
  const invitedUntilAt = invited.invitedUntil.toISOString();
  await notifyOfMember(tx, invited.userId, invited.id, {
    kind: 'proxy_invitation',
    params: { ...about(proxy), role: invited.role, invitedUntilAt },
  });
}

/** Orders the notification of an owner who has a new member. */
export async function notifyOfJoining(tx: Tx, proxy: OfOwner, member: MemberRow) {
  await notifyOfMember(tx, proxy.userId, member.id, {
    kind: 'member_joined',
    params: { ...about(proxy), role: member.role, member: member.username ?? '?' },
  });
}

/** Orders the notification of an owner whose invitation was declined: by whom is said only where the owner has named them. */
export async function notifyOfRefusal(tx: Tx, proxy: OfOwner, invited: MemberRow): Promise<void> {
  await notifyOfMember(tx, proxy.userId, invited.id, {
    kind: 'invitation_declined',
    params: { ...about(proxy), invited: invited.username ?? invited.email, role: invited.role },
  });
}

/** Has open pages of a user fetch again what is shared with them. After COMMIT. */
export function announceSharing(nc: NatsConnection, userId: number): void {
  nc.publish(sharingSubject(userId));
}
