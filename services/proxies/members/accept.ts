import type { Actor, ProxyConfig, Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { lockAnyProxy } from '../proxy/find.ts';
import { saveMembers } from '../proxy/membership.ts';
import { publicProxyFor } from '../server/token-rights.ts';
import { auditedGrant } from './grant.ts';
import { findLinkInvitation, type InvitationRow, selectInvitations } from './invitations.ts';
import { announceSharing, notifyOfJoining } from './notify.ts';
import { findMember } from './sql.ts';

type Find = (sql: AnySql) => Promise<InvitationRow>;

/** The caller accepts an invitation that names them. */
export const acceptInvitation: Verb<Routes['POST /api/proxy-invitations/:id/acceptance'], ProxiesContext> = (
  context,
  { id },
) => accept(context, (sql) => findOwnInvitation(sql, id, context.actor.userId));

/** The caller accepts the invitation of a link, which nobody can use a second time. */
export const acceptInvitationLink: Verb<
  Routes['POST /api/proxy-invitation-link/acceptance'],
  ProxiesContext
> = (context, { token }) => accept(context, (sql) => findLinkInvitation(sql, token, context.actor.userId));

/** An invitation that names a user. @throws AppError `already_joined` when they have accepted it, else `not_found` */
export async function findOwnInvitation(sql: AnySql, id: number, userId: number): Promise<InvitationRow> {
  const [row] = await sql<InvitationRow[]>`
    ${selectInvitations(sql)} and members.id = ${id} and members.user_id = ${userId}`;
  if (row) return row;
  const [joined] = await sql<{ proxyId: number }[]>`
    select proxy_id from members join proxies on proxies.id = proxy_id and removed_at is null
    where members.id = ${id} and members.user_id = ${userId} and joined_at is not null`;
  if (joined) throw new AppError('already_joined', { params: { proxyId: joined.proxyId } });
  throw new AppError('not_found');
}

async function accept(context: ProxiesContext & { readonly actor: Actor }, find: Find): Promise<ProxyConfig> {
  const { userId } = context.actor;
  const { proxyId } = await find(context.reads);
  const accepted = await context.transaction(async (tx) => {
    const proxy = await lockAnyProxy(tx, proxyId);
    // Again: with the proxy locked, no other call can accept or withdraw it.
    const { id } = await find(tx.sql);
    // An invitation by name to the same user has become superfluous.
    await tx.sql`delete from members where proxy_id = ${proxyId} and user_id = ${userId} and id <> ${id}`;
    await tx.sql`
      update members set user_id = ${userId}, joined_at = now(), invited_until = null, email = null,
        invited_name = null, invited_key = null
      where id = ${id}`;
    const saved = await saveMembers(tx, proxy);
    const member = await findMember(tx.sql, id, proxyId);
    await notifyOfJoining(tx, proxy, member);
    await tx.audit({ ...auditOf(proxy), changes: auditedGrant(member) });
    return publicProxyFor(tx.sql, saved, context.actor);
  });
  announceSharing(context.nc, userId);
  return accepted;
}
