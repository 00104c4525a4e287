import {
  type Entitlement,
  entitlementAt,
  noEntitlement,
  type Plan,
  planOf,
  requestLogDays,
  type Tier,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { inOneGo } from '@talpa/service-kit/database/pipeline';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';

interface UserRow {
  tier: Tier | null;
  proxyLimit: number;
  expiresAt: Date | null;
  closed: boolean;
  suspensionReason: string | null;
}

/** What a user may have now. */
function entitlementOf(row: UserRow | undefined): Entitlement {
  if (!row || row.closed) return noEntitlement;
  const expiresAt = row.expiresAt?.toISOString() ?? null;
  return entitlementAt({ tier: row.tier, proxyLimit: row.proxyLimit, expiresAt }, new Date());
}

const selectCount = (sql: AnySql, userId: number, only: readonly number[] | null = null) =>
  sql<{ count: number }[]>`
    select count(*) as count from proxies where user_id = ${userId} and removed_at is null
      ${only ? sql`and id = any(${sql.array([...only], 20)})` : sql``}`;

/** How many proxies a user has. @param only counts no others */
export async function countProxies(
  sql: AnySql,
  userId: number,
  only: readonly number[] | null = null,
): Promise<number> {
  const [row] = await selectCount(sql, userId, only);
  return row?.count ?? 0;
}

interface Quota {
  readonly limit: number;
  readonly current: number;
  /** Until when the limit holds, if it ends by itself. */
  readonly expiresAt: string | null;
}

/** A user's limit and how much of it is used. */
export async function readQuota(sql: AnySql, userId: number): Promise<Quota> {
  const [[row], current] = await Promise.all([
    sql<UserRow[]>`select * from users where user_id = ${userId}`,
    countProxies(sql, userId),
  ]);
  const { proxyLimit, expiresAt } = entitlementOf(row);
  return { limit: proxyLimit, current, expiresAt };
}

/** How many custom domains a user may have now. @param held until the transaction ends */
export const readDomainLimit = async (sql: AnySql, userId: number, held = false): Promise<number> =>
  (await readPlan(sql, userId, held))?.domainLimit ?? 0;

/** How many game ports a user may have now. @param held until the transaction ends */
export const readPortLimit = async (sql: AnySql, userId: number, held = false): Promise<number> =>
  (await readPlan(sql, userId, held))?.portLimit ?? 0;

/** How many members each of a user's proxies may have now. @param held until the transaction ends */
export const readMemberLimit = async (sql: AnySql, userId: number, held = false): Promise<number> =>
  (await readPlan(sql, userId, held))?.memberLimit ?? 0;

/** For how many days a user's requests are logged now. @param most the operator's limit */
export const readRequestLogDays = async (sql: AnySql, userId: number, most: number): Promise<number> =>
  requestLogDays((await readPlan(sql, userId, false))?.id ?? null, most);

async function readPlan(sql: AnySql, userId: number, held: boolean): Promise<Plan | null> {
  const [row] = await sql<UserRow[]>`
    select * from users where user_id = ${userId} ${held ? sql`for update` : sql``}`;
  const { tier } = entitlementOf(row);
  return tier && planOf(tier);
}

/** The error of a user who has all the proxies they may have. */
export const limitReached = (limit: number) => new AppError('proxy_limit_reached', { params: { limit } });

/**
 * Makes room for one more proxy: holds the user's quota until the transaction ends, so that creates at the
 * same time are decided one after the other.
 * @throws AppError `proxy_limit_reached`; `not_signed_in` for a deleted user, `account_suspended`
 */
export async function takeQuota(tx: Tx, userId: number): Promise<void> {
  // Without a row the limit is none: there is nothing to hold.
  const { limit, count } = await holdLimit(tx, userId, selectCount(tx.sql, userId));
  if (count >= limit) throw limitReached(limit);
}

/** The same for one more server. @throws AppError `server_limit_reached`, and those of `takeQuota` */
export async function takeServerQuota(tx: Tx, userId: number): Promise<void> {
  const servers = tx.sql<{ count: number }[]>`
    select count(*) as count from servers where user_id = ${userId} and removed_at is null`;
  const { limit, count } = await holdLimit(tx, userId, servers);
  if (count >= limit) throw new AppError('server_limit_reached', { params: { limit } });
}

/** Holds the proxy limit of a user who may create something. @param counting how many there are */
async function holdLimit(tx: Tx, userId: number, counting: ReturnType<typeof selectCount>) {
  const [[row], [counted]] = await inOneGo(
    tx.sql<UserRow[]>`select * from users where user_id = ${userId} for update`,
    counting,
  );
  if (row?.closed) throw new AppError('not_signed_in');
  if (row?.suspensionReason)
    throw new AppError('account_suspended', { params: { reason: row.suspensionReason } });
  return { limit: entitlementOf(row).proxyLimit, count: counted?.count ?? 0 };
}
