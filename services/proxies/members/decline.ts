import type { Routes, Verb } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { lockAnyProxy } from '../proxy/find.ts';
import type { ProxyRow } from '../proxy/row.ts';
import { findOwnInvitation } from './accept.ts';
import { findLinkInvitation, type InvitationRow } from './invitations.ts';
import { announceSharing, notifyOfRefusal } from './notify.ts';
import { deleteMember } from './remove.ts';
import { findMember } from './sql.ts';

/** The caller declines an invitation that names them. */
export const declineInvitation: Verb<Routes['DELETE /api/proxy-invitations/:id'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { userId } = context.actor;
  const { proxyId } = await findOwnInvitation(context.reads, id, userId);
  await context.transaction(async (tx) => {
    const proxy = await lockAnyProxy(tx, proxyId);
    await refuse(tx, proxy, await findOwnInvitation(tx.sql, id, userId));
  });
  announceSharing(context.nc, userId);
  return null;
};

/** Who has an invitation's link declines it, signed in or not: nobody can use it afterwards. */
export const declineInvitationLink: Verb<
  Routes['POST /api/proxy-invitation-link/refusal'],
  ProxiesContext
> = async (context, { token }) => {
  const find = (sql: AnySql) => findLinkInvitation(sql, token, context.actor?.userId ?? null);
  const { proxyId } = await find(context.reads);
  await context.transaction(async (tx) => {
    const proxy = await lockAnyProxy(tx, proxyId);
    await refuse(tx, proxy, await find(tx.sql));
  });
  return null;
};

/** Deletes an invitation of a locked proxy, and notifies the owner. */
async function refuse(tx: Tx, proxy: ProxyRow, { id }: Pick<InvitationRow, 'id'>): Promise<void> {
  const invited = await findMember(tx.sql, id, proxy.id);
  await deleteMember(tx, proxy, invited);
  await notifyOfRefusal(tx, proxy, invited);
}
