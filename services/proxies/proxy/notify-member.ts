import type { MemberContent } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxyRow } from './row.ts';

export type About = Pick<ProxyRow, 'id' | 'serverName'>;
export type OfOwner = About & Pick<ProxyRow, 'userId'>;
export const about = (proxy: About) => ({ proxyId: proxy.id, proxy: proxy.serverName });

/** Orders a notification about a membership or an invitation; for nobody it takes as long. */
export const notifyOfMember = (tx: Tx, userId: number | null, memberId: number, content: MemberContent) =>
  tx.command('notifications.notifyOfMember', { userId, memberId, content });

/** Orders the notification of a user who is no member any more, by no choice of theirs. */
export async function notifyOfEnd(tx: Tx, proxy: About, userId: number, memberId: number): Promise<void> {
  await notifyOfMember(tx, userId, memberId, { kind: 'membership_ended', params: about(proxy) });
}

/** Orders the notification of an owner whose member has left, or is gone. */
export async function notifyOfLeaving(
  tx: Tx,
  proxy: OfOwner,
  member: { readonly id: number; readonly username: string | null },
): Promise<void> {
  await notifyOfMember(tx, proxy.userId, member.id, {
    kind: 'member_left',
    params: { ...about(proxy), member: member.username ?? '?' },
  });
}
