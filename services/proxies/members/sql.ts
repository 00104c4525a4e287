import { createHash, randomBytes } from 'node:crypto';
import type { Member, MemberRole } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { isCurrent, publicMembership } from '../proxy/membership.ts';
import type { ProxyRow } from '../proxy/row.ts';

export interface MemberRow {
  id: number;
  proxyId: number;
  userId: number | null;
  /** A member's present name, null while it is not known; of an invitation by name that name as it was written. */
  username: string | null;
  email: string | null;
  role: MemberRole;
  memberUntil: Date | null;
  createdAt: Date;
  joinedAt: Date | null;
  invitedUntil: Date | null;
}

const tokenBytes = 32;
/** A new secret for an invitation's link, and how it is stored. */
export function makeToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(tokenBytes).toString('base64url');
  return { token, hash: hashOfToken(token) };
}

/** How the secret of an invitation's link is stored. */
export const hashOfToken = (token: string) => createHash('sha256').update(token).digest();

/** Members and invitations, as `MemberRow`. */
export const selectMembers = (sql: AnySql) => sql`
  select members.id, members.proxy_id, members.user_id,
    case when joined_at is null then invited_name else users.username end as username, members.email, members.role, members.member_until,
    members.created_at, members.joined_at, members.invited_until
  from members left join users on users.user_id = members.user_id`;

/** A member or an invitation as the API shows it: whether anybody has the name of an invitation is not for its inviter. */
export function publicMember(row: MemberRow): Member {
  return {
    id: row.id,
    userId: row.joinedAt && row.userId,
    username: row.username,
    email: row.email,
    role: row.role,
    memberUntil: row.memberUntil?.toISOString() ?? null,
    joinedAt: row.joinedAt?.toISOString() ?? null,
    invitedUntil: row.invitedUntil?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** A member or an invitation of a proxy. @throws AppError `member_not_found` */
export async function findMember(sql: AnySql, id: number, proxyId: number): Promise<MemberRow> {
  const [row] = await sql<MemberRow[]>`
    ${selectMembers(sql)} where members.id = ${id} and proxy_id = ${proxyId} and ${isCurrent(sql)}`;
  if (!row) throw new AppError('member_not_found');
  return row;
}

/** The members of these proxies and the open invitations, each proxy's as they came. */
export const membersOf = (sql: AnySql, proxies: readonly Pick<ProxyRow, 'id'>[]) => sql<MemberRow[]>`
  ${selectMembers(sql)} where members.proxy_id in ${sql([0, ...proxies.map(({ id }) => id)])} and ${isCurrent(sql)}
  order by joined_at is null, members.id`;

/** A user's own memberships, as they are exported. */
export async function membershipsOf(sql: AnySql, userId: number) {
  const rows = await sql<(MemberRow & { joinedAt: Date; serverName: string })[]>`
    select members.*, proxies.server_name from members join proxies on proxies.id = proxy_id
    where members.user_id = ${userId} and joined_at is not null and removed_at is null and ${isCurrent(sql)}
    order by members.id`;
  return rows.map((row) => ({
    proxyId: row.proxyId,
    serverName: row.serverName,
    joinedAt: row.joinedAt.toISOString(),
    ...publicMembership(row),
  }));
}
