import type { MemberRole, Membership } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { type ProxyRow, saveProxy } from './row.ts';

interface MembershipRow {
  readonly role: MemberRole;
  readonly memberUntil: Date | null;
}

/** Neither the membership nor the invitation has ended, and whose invitation it is may still grant it. */
export const isCurrent = (sql: AnySql) => sql`
  (members.member_until is null or members.member_until > now())
  and (members.joined_at is not null or (members.invited_until > now() and (
    members.invited_by is null or exists (
      select 1 from members as inviter
      where inviter.proxy_id = members.proxy_id and inviter.user_id = members.invited_by
        and inviter.joined_at is not null and inviter.role = 'manage'
        and (inviter.member_until is null or (
          inviter.member_until > now() and members.member_until <= inviter.member_until))))))`;

/** A user's membership of a proxy; null: they are no member now. */
export async function membershipOf(sql: AnySql, proxyId: number, userId: number): Promise<Membership | null> {
  const [row] = await sql<MembershipRow[]>`
    select role, member_until from members
    where proxy_id = ${proxyId} and user_id = ${userId} and joined_at is not null and ${isCurrent(sql)}`;
  return row ? publicMembership(row) : null;
}

/** A membership as the API shows it. */
export const publicMembership = (row: MembershipRow): Membership => ({
  role: row.role,
  until: row.memberUntil?.toISOString() ?? null,
});

/** Publishes a locked proxy whose members have changed. */
export async function saveMembers(tx: Tx, proxy: ProxyRow): Promise<ProxyRow> {
  const rows = await tx.sql<{ userId: number }[]>`
    select user_id from members where proxy_id = ${proxy.id} and joined_at is not null order by user_id`;
  return saveProxy(tx, { ...proxy, memberIds: rows.map(({ userId }) => userId) });
}
