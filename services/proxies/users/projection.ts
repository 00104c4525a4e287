import type { EventOf } from '@talpa/contracts';
import { forgetKeys } from '@talpa/service-kit/database/idempotency';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runProjection } from '@talpa/service-kit/events/projection';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { auditOf } from '../proxy/audited.ts';
import { saveMembers } from '../proxy/membership.ts';
import { notifyOfLeaving } from '../proxy/notify-member.ts';
import type { ProxyRow } from '../proxy/row.ts';
import { saveSuspension } from '../proxy/save-suspension.ts';
import { removeServer } from '../server/remove.ts';
import { lockServers } from '../server/row.ts';

/** Removes what a deleted user had, cuts off what a suspended one has, and lets neither create anything. */
export function projectUsers(base: ServiceBase, lifecycle: Lifecycle): void {
  runProjection('proxies', 'user', projectUser, base, lifecycle);
}

/** Takes over what is newer. */
export async function projectUser(tx: Tx, user: EventOf<'user'>): Promise<void> {
  const suspendedAt = user.suspension ? new Date(user.suspension.since) : null;
  const reason = user.suspension?.reason ?? null;
  const username = user.deleted ? null : user.username;
  const [before] = await tx.sql<{ username: string | null }[]>`
    select username from users where user_id = ${user.id} for update`;
  const [newer] = await tx.sql`
    insert into users (user_id, user_version, username, closed, suspended_at, suspension_reason)
    values (${user.id}, ${user.version}, ${username}, ${user.deleted}, ${suspendedAt}, ${reason})
    on conflict (user_id) do update set
      user_version = excluded.user_version, username = excluded.username,
      closed = excluded.closed or users.closed,
      suspended_at = excluded.suspended_at, suspension_reason = excluded.suspension_reason
    where users.user_version < excluded.user_version
    returning 1`;
  if (!newer) return;
  tx.invalidate(user.id);
  if (user.deleted) await forgetKeys(tx, user.id);
  if (!user.isAdmin) {
    // Codes first: that waits for one that is just redeemed, whose visit then ends too.
    await tx.sql`delete from access_codes where user_id = ${user.id} and as_admin`;
    await tx.sql`delete from visits where user_id = ${user.id} and as_admin`;
    await tx.sql`delete from service_tokens where created_by = ${user.id} and as_admin`;
    await tx.sql`delete from enrolment_keys where user_id = ${user.id} and as_admin`;
  }
  // The name is no part of a proxy's version: those who see it ask us, and hear below that it is another.
  await tx.sql`
    update proxies set owner_name = ${username}
    where user_id = ${user.id} and owner_name is distinct from ${username}::text`;
  const isRenamed = before !== undefined && before.username !== username;
  if (user.deleted) await removeMemberships(tx, user.id, before?.username ?? null);
  else if (isRenamed) await publishMemberships(tx, user.id);
  if (user.deleted) {
    for (const locked of await lockServers(tx, tx.sql`user_id = ${user.id} and removed_at is null`))
      for (const row of await removeServer(tx, locked))
        await tx.audit({ action: 'proxy.delete', ...auditOf(row) });
    return;
  }
  const rows = await tx.sql<ProxyRow[]>`
    select * from proxies
    where user_id = ${user.id} and removed_at is null
      and (owner_suspended_at is distinct from ${suspendedAt}::timestamptz
        or owner_suspension_reason is distinct from ${reason}::text
        or (${isRenamed} and exists (select 1 from members where proxy_id = proxies.id)))
    order by id for update`;
  for (const row of rows)
    await saveSuspension(tx, row, { ownerSuspendedAt: suspendedAt, ownerSuspensionReason: reason });
}

/** Has the owners of proxies, and those who share them, see the new name of a member. */
async function publishMemberships(tx: Tx, userId: number): Promise<void> {
  const proxies = await tx.sql<ProxyRow[]>`
    select * from proxies
    where id in (select proxy_id from members where user_id = ${userId} and joined_at is not null)
      and removed_at is null
    order by id for update`;
  for (const proxy of proxies) await saveMembers(tx, proxy);
}

/** Ends what a deleted user was a member of. Invitations by their name stay open for nobody: that they are gone is not for the inviter. */
async function removeMemberships(tx: Tx, userId: number, username: string | null): Promise<void> {
  const proxies = await tx.sql<ProxyRow[]>`
    select * from proxies
    where id in (select proxy_id from members where user_id = ${userId}) and removed_at is null
    order by id for update`;
  await tx.sql`update members set user_id = null where user_id = ${userId} and joined_at is null`;
  const left = await tx.sql<
    { id: number; proxyId: number }[]
  >`delete from members where user_id = ${userId} returning id, proxy_id`;
  for (const proxy of proxies) {
    const member = left.find(({ proxyId }) => proxyId === proxy.id);
    if (!member) continue;
    await saveMembers(tx, proxy);
    await notifyOfLeaving(tx, proxy, { id: member.id, username });
  }
}
