import type { ProxyInvitation, Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { ProxiesContext } from '../context.ts';
import { isCurrent, membershipOf } from '../proxy/membership.ts';
import { hashOfToken, type MemberRow } from './sql.ts';

export interface InvitationRow extends Omit<MemberRow, 'invitedUntil'> {
  invitedUntil: Date;
  proxyName: string;
  ownerId: number;
  ownerName: string | null;
}

/** Open invitations to proxies that are there. */
export const selectInvitations = (sql: AnySql) => sql`
  select members.*, proxies.server_name as proxy_name, proxies.user_id as owner_id, proxies.owner_name
  from members join proxies on proxies.id = proxy_id and removed_at is null
  where joined_at is null and ${isCurrent(sql)}`;

function publicInvitation(row: InvitationRow): ProxyInvitation {
  return {
    id: row.id,
    proxyName: row.proxyName,
    ownerName: row.ownerName,
    role: row.role,
    memberUntil: row.memberUntil?.toISOString() ?? null,
    invitedUntil: row.invitedUntil.toISOString(),
  };
}

/** What the caller is invited to by name, the oldest first. */
export const listInvitations: Verb<Routes['GET /api/proxy-invitations'], ProxiesContext> = async ({
  reads,
  actor,
}) => {
  const rows = await reads<InvitationRow[]>`
    ${selectInvitations(reads)} and members.user_id = ${actor.userId} order by members.id`;
  return rows.map(publicInvitation);
};

/** What a link invites to. */
export const readInvitationLink: Verb<Routes['POST /api/proxy-invitation-link'], ProxiesContext> = async (
  { reads, actor },
  { token },
) => publicInvitation(await findLinkInvitation(reads, token, actor?.userId ?? null));

/**
 * The invitation of a link, for somebody who may accept it, or has not said who they are.
 * @throws AppError `already_joined` for owner and members, also where the link was used; else `invitation_link_invalid`
 */
export async function findLinkInvitation(
  sql: AnySql,
  token: string,
  userId: number | null,
): Promise<InvitationRow> {
  const isOfLink = sql`members.token_hashes @> array[${hashOfToken(token)}::bytea]`;
  const [of] = await sql<Pick<InvitationRow, 'proxyId' | 'ownerId'>[]>`
    select proxies.id as proxy_id, proxies.user_id as owner_id
    from members join proxies on proxies.id = proxy_id and removed_at is null where ${isOfLink}`;
  if (of && userId !== null && (of.ownerId === userId || (await membershipOf(sql, of.proxyId, userId))))
    throw new AppError('already_joined', { params: { proxyId: of.proxyId } });
  const [row] = await sql<InvitationRow[]>`${selectInvitations(sql)} and ${isOfLink}`;
  if (!row) throw new AppError('invitation_link_invalid');
  return row;
}
