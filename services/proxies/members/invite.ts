import { randomUUID } from 'node:crypto';
import { type Actor, invitationDays, joinPath, type Routes, usernameKey, type Verb } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { findMembership, findProxy, lockProxy } from '../proxy/find.ts';
import { isCurrent } from '../proxy/membership.ts';
import { type ProxyRow, saveProxy } from '../proxy/row.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { withFreshProjections } from '../users/fresh.ts';
import { readMemberLimit } from '../users/limits.ts';
import { auditedGrant, grantOf, refuseGreaterGrant } from './grant.ts';
import { announceSharing, notifyOfInvitation } from './notify.ts';
import { findMember, makeToken, publicMember } from './sql.ts';

type Inviting = ProxiesContext & { readonly actor: Actor };

/**
 * Invites a user by their name, an address by email, or the first who opens the link of the response. The response to a name is
 * the same whether anybody has it.
 */
export const inviteMember: Verb<Routes['POST /api/tunnel-configs/:id/members'], ProxiesContext> = async (
  context,
  input,
) => {
  const { actor, settings } = context;
  const proxy = await findProxy(context.reads, input.id, context);
  const grant = grantOf(input);
  const username = input.username ?? null;
  const email = input.email ?? null;
  if (username !== null && email !== null) throw invalidField('email', 'invalid');
  // Whether anybody has the name shows nowhere: without a user the invitation waits for nobody, and ends like any other.
  const user =
    username === null ? null : await callInternal(context.nc, 'auth.findUser', { username }, context);
  const userId = user?.id ?? null;
  if (userId === proxy.userId) throw invalidField('username', 'ownerInvited');
  const made = username !== null || email !== null ? null : makeToken();
  const insert = async (tx: Tx) => {
    // The owner before the proxy, as where a user is suspended: two that wait for each other would fail.
    const limit = await readMemberLimit(tx.sql, proxy.userId, true);
    const row = await lockProxy(tx, input.id, context);
    refuseSuspended(row, actor);
    await refuseGreaterGrant(tx.sql, row, context, grant);
    const invitedBy = (await findMembership(tx.sql, row, actor)) ? actor.userId : null;
    // Ended memberships are ended elsewhere, with a notification.
    await tx.sql`
      delete from members where proxy_id = ${row.id} and joined_at is null and not (${isCurrent(tx.sql)})`;
    const [counted] = await tx.sql<{ count: number }[]>`
      select count(*) as count from members where proxy_id = ${row.id} and ${isCurrent(tx.sql)}`;
    if ((counted?.count ?? 0) >= limit) throw new AppError('member_limit_reached', { params: { limit } });
    const [added] = await tx.sql<{ id: number }[]>`
      insert into members (proxy_id, user_id, invited_name, invited_key, email, invited_by, role, member_until,
        invited_until, token_hashes)
      select ${row.id}, ${userId}::bigint, ${username}, ${username && usernameKey(username)}, ${email}, ${invitedBy}::bigint,
        ${grant.role}, ${grant.memberUntil}::timestamptz, now() + ${`${invitationDays} days`}::interval,
        ${made ? tx.sql`array[${made.hash}::bytea]` : tx.sql`'{}'::bytea[]`}
      where not exists (
        select 1 from members where proxy_id = ${row.id} and user_id = ${userId}::bigint and joined_at is not null)
      on conflict (proxy_id, invited_key) where joined_at is null do nothing returning id`;
    if (!added) throw new AppError('already_member');
    await saveProxy(tx, row);
    await tx.audit({
      ...auditOf(row),
      changes: { ...(username !== null && { member: { to: username } }), ...auditedGrant(grant) },
    });
    const invited = await findMember(tx.sql, added.id, row.id);
    await notifyOfInvitation(tx, row, invited);
    if (email !== null) await orderMail(tx, context, row, added.id);
    return publicMember(invited);
  };
  const member = await withFreshProjections(context, proxy.userId, () => context.transaction(insert));
  if (userId !== null) announceSharing(context.nc, userId);
  return { member, link: made && linkOf(made.token, settings.PUBLIC_URL) };
};

function linkOf(token: string, publicUrl: string | undefined) {
  const path = `${joinPath}#${token}`;
  return { url: publicUrl === undefined ? null : new URL(path, publicUrl).href, path };
}

async function orderMail(tx: Tx, context: Inviting, proxy: ProxyRow, memberId: number): Promise<void> {
  const { actor, language } = context;
  const [inviter] = await tx.sql<{ username: string | null }[]>`
    select username from users where user_id = ${actor.userId}`;
  const params = { memberId, proxy: proxy.serverName, inviter: inviter?.username ?? '?', language };
  await tx.command('notifications.sendInvitation', {
    id: randomUUID(),
    userId: actor.userId,
    at: new Date().toISOString(),
    mail: { kind: 'proxy_invitation_link', params },
  });
}
