import type { Sql, TransactionSql } from '@talpa/service-kit/database/sql';
import type { ChallengeType } from './problems.ts';

/** Which certificates this installation wants. */
export interface Wanted {
  /** The panel's host. */
  readonly panel: string;
  /** `*.<tunnel domain>` where a DNS provider is set; else each subdomain gets its own. */
  readonly wildcard: string | null;
}

/** A certificate that this process orders now. */
export interface Claim {
  readonly name: string;
  readonly orderId: string;
  /** The present certificate; null for a new one. */
  readonly chain: string | null;
  readonly challenge: ChallengeType;
}

/** A claim that its process does not renew for so long is another's. */
const lease = '6 seconds';
export const renewMs = 2_000;
/** The authority allows five failures an hour and name, and 300 orders in three hours. */
const ordersPerName = 5;
const ordersPerThreeHours = 250;

/**
 * Claims the certificate that is due, within the limits.
 * @param weeklyLimit new certificates within seven days; the panel's and the wildcard are exempt
 * @param underWay names that this process orders already: it may have stood still for longer than its claims last
 */
export async function claimDue(
  sql: Sql,
  wanted: Wanted,
  weeklyLimit: number,
  underWay: readonly string[] = [],
): Promise<Claim | null> {
  return sql.begin(async (tx) => {
    // One process at a time, so that all of them together stay within the limits.
    await tx`select lock_transaction('certificates')`;
    const isFull = await postponeBeyondLimits(tx, wanted, weeklyLimit);
    const [recent] = await tx<{ count: number }[]>`
      select count(*) from acme_orders where ordered_at > now() - interval '3 hours'`;
    if ((recent?.count ?? 0) >= ordersPerThreeHours) return null;
    const [row] = await tx<Omit<Claim, 'orderId'>[]>`
      update certificates set claimed_until = now() + ${lease}::interval
      where name = (select name from certificates
        where ${isDue(tx, wanted)} and not (${isFull} and ${isLimited(tx, wanted)})
          and name <> all(${[...underWay]})
        order by name = ${wanted.panel} desc, chain is null desc, attempt_at limit 1)
      returning name, chain, case when name = ${wanted.wildcard} then 'dns-01' else coalesce(
        challenge, ${lastThatWorked(tx)}, 'http-01') end as challenge`;
    if (!row) return null;
    const [order] = await tx<{ id: string }[]>`
      insert into acme_orders (name, is_renewal) values (${row.name}, ${row.chain !== null}) returning id`;
    if (!order) throw new Error('the order was not stored');
    return { ...row, orderId: order.id };
  }) as Promise<Claim | null>;
}

/** A name whose proxy is gone is not renewed. The wildcard covers subdomains, not custom domains. */
const isDue = (tx: TransactionSql, { panel, wildcard }: Wanted) => tx`
  attempt_at <= now() and (claimed_until is null or claimed_until < now()) and (
    name in (${panel}, ${wildcard ?? panel})
    or ${wildcard === null ? tx`true` : tx`certificates.name not like ${`%${wildcard.slice(1)}`}`} and exists (
      select 1 from dns_records where dns_records.name = certificates.name and type = 'CNAME' and proxied))`;

/** How the newest certificate of any name came: ports are the same for all of them. */
const lastThatWorked = (tx: TransactionSql) => tx`(
  select others.challenge from certificates as others
  where others.chain is not null and others.challenge <> 'dns-01' order by others.not_before desc limit 1)`;

/** A new certificate, for which the weekly limit counts. */
const isLimited = (tx: TransactionSql, { panel, wildcard }: Wanted) =>
  tx`(chain is null and certificates.name not in (${panel}, ${wildcard ?? panel}))`;

/** @returns whether the weekly limit is reached once what is under way has come */
async function postponeBeyondLimits(
  tx: TransactionSql,
  wanted: Wanted,
  weeklyLimit: number,
): Promise<boolean> {
  await tx`
    update certificates set attempt_at = recent.free_at
    from (
      select name, min(ordered_at) + interval '1 hour' as free_at from acme_orders
      where ordered_at > now() - interval '1 hour' group by name having count(*) >= ${ordersPerName}
    ) as recent
    where recent.name = certificates.name and attempt_at <= now()`;
  const [week] = await tx<{ count: number; freeAt: Date | null; underWay: number }[]>`
    select count(*), min(ordered_at) + interval '7 days' as free_at,
      (select count(*) from certificates where chain is null and claimed_until >= now()) as under_way
    from acme_orders where not is_renewal and succeeded and ordered_at > now() - interval '7 days'`;
  if (!week) return false;
  if (week.freeAt && week.count >= weeklyLimit)
    await tx`
      update certificates set attempt_at = ${week.freeAt}, failures = failures + 1, failed_at = now(),
        problem = 'weekly_limit', detail = ${`ACME_WEEKLY_LIMIT is ${weeklyLimit}`}
      where ${isLimited(tx, wanted)} and ${isDue(tx, wanted)}`;
  return week.count + week.underWay >= weeklyLimit;
}

/** Keeps a claim while its order is under way. One that has ended meanwhile does not begin anew. */
export async function renewClaim(sql: Sql, { name }: Pick<Claim, 'name'>): Promise<void> {
  await sql`
    update certificates set claimed_until = now() + ${lease}::interval
    where name = ${name} and claimed_until is not null`;
}
