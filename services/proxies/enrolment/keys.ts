import { enrolmentKeysPerProxy, enrolmentKeysPerUser, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { firstState } from '@talpa/service-kit/database/changes';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { AuditEntry, Tx } from '@talpa/service-kit/database/transaction';
import type postgres from 'postgres';
import type { ProxiesContext } from '../context.ts';
import { findMembership, findProxy, type ProxyCaller } from '../proxy/find.ts';
import type { ProxyRow } from '../proxy/row.ts';
import { findServer, refuseLess } from '../server/find.ts';
import { type KeyRow, newKey, publicKey, selectKeys } from './key-row.ts';

const minuteMs = 60_000;
const mostListed = 100;

/** What the audit trail says a change was about. */
export const auditOfKey = ({
  id,
  name,
  userId,
}: Pick<KeyRow, 'id' | 'name' | 'userId'>): Pick<AuditEntry, 'target' | 'subjectUserId'> => ({
  target: { kind: 'enrolmentKey', id, label: name },
  subjectUserId: userId,
});

/** The caller's keys, without what opens. */
export const listEnrolmentKeys: Verb<Routes['GET /api/enrolment-keys'], ProxiesContext> = async ({
  reads,
  actor,
}) => {
  const rows = await reads<KeyRow[]>`
    ${selectKeys(reads)} and enrolment_keys.user_id = ${actor.userId}
    order by enrolment_keys.id desc limit ${mostListed}`;
  return rows.map(publicKey);
};

/** Creates a key. Only this response has what opens. */
export const createEnrolmentKey: Verb<Routes['POST /api/enrolment-keys'], ProxiesContext> = async (
  context,
  { name, proxyId, serverId, panel, uses, minutes },
) => {
  const { userId } = context.actor;
  const { key, hash } = newKey();
  const expiresAt = new Date(Date.now() + minutes * minuteMs);
  return context.transaction(async (tx) => {
    const { sql } = tx;
    // Creates at the same time are counted one after the other.
    const [user] = await sql<{ closed: boolean }[]>`
      select closed from users where user_id = ${userId} for update`;
    if (user?.closed) throw new AppError('not_signed_in');
    await sql`delete from enrolment_keys where user_id = ${userId} and expires_at < now()`;
    const proxy = proxyId === null ? null : await findProxyForToken(sql, proxyId, context);
    const server =
      serverId === null ? null : (await findServer(sql, serverId, { ...context, role: 'owner' })).row;
    if (proxy) await makeRoom(tx, userId, sql`proxy_uuid = ${proxy.uuid}`);
    else if (server) await makeRoom(tx, userId, sql`server_uuid = ${server.uuid}`);
    else {
      if (uses === 1) await makeRoom(tx, userId, sql`${forNew(sql)} and uses = 1 and used = 0`);
      await refuseTooMany(tx, userId);
    }
    const asAdmin = server
      ? server.userId !== userId
      : proxy !== null && proxy.userId !== userId && !(await findMembership(sql, proxy, context.actor));
    const [row] = await sql<KeyRow[]>`
      insert into enrolment_keys (user_id, name, key_hash, proxy_uuid, server_uuid, panel, as_admin, expires_at, uses)
      values (${userId}, ${name}, ${hash}, ${proxy?.uuid ?? null}, ${server?.uuid ?? null}, ${panel}, ${asAdmin}, ${expiresAt}, ${uses})
      returning *`;
    if (!row) throw new Error('the key was not stored');
    await tx.audit({
      ...auditOfKey(row),
      changes: firstState({
        proxy: proxyId,
        server: serverId,
        panel,
        uses,
        expiresAt: expiresAt.toISOString(),
      }),
    });
    return { enrolmentKey: publicKey({ ...row, proxyId, serverId, connected: [] }), key };
  });
};

/** The machine gets the token of the server: see `refuseLess`. */
async function findProxyForToken(
  sql: AnySql,
  id: number,
  caller: Omit<ProxyCaller, 'role'>,
): Promise<ProxyRow> {
  const proxy = await findProxy(sql, id, { ...caller, role: 'view' });
  const server = { id: proxy.serverId, userId: proxy.userId };
  await refuseLess(sql, server, { ...caller, role: 'operate' });
  return proxy;
}

async function refuseTooMany({ sql }: Tx, userId: number): Promise<void> {
  const [counted] = await sql<{ count: number }[]>`
    select count(*) as count from enrolment_keys where user_id = ${userId} and ${forNew(sql)} and used < uses`;
  if ((counted?.count ?? 0) >= enrolmentKeysPerUser)
    throw new AppError('enrolment_key_limit', { params: { limit: enrolmentKeysPerUser } });
}

const forNew = (sql: AnySql) => sql`proxy_uuid is null and server_uuid is null`;

/** The panel makes one whenever it shows the command: the oldest of its kind give way. */
async function makeRoom(
  { sql }: Tx,
  userId: number,
  ofKind: postgres.PendingQuery<postgres.Row[]>,
): Promise<void> {
  await sql`
    delete from enrolment_keys where id in (
      select id from enrolment_keys where user_id = ${userId} and ${ofKind}
      order by id desc offset ${enrolmentKeysPerProxy - 1})`;
}

/** Revokes a key of the caller. */
export const revokeEnrolmentKey: Verb<Routes['DELETE /api/enrolment-keys/:id'], ProxiesContext> = (
  context,
  { id },
) =>
  context.transaction(async (tx) => {
    const [row] = await tx.sql<KeyRow[]>`
      delete from enrolment_keys where id = ${id} and user_id = ${context.actor.userId} returning *`;
    if (!row) throw new AppError('not_found');
    await tx.audit(auditOfKey(row));
    return null;
  });
