import type { Sql } from '@talpa/service-kit/database/sql';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import { seal } from '@talpa/service-kit/sealed-secret';
import type { Claim } from './claim.ts';
import type { Issued } from './order.ts';
import type { Failure } from './problems.ts';
import { thirdLeft, type Validity } from './renewal.ts';

const minuteMs = 60_000;
/** The pause after each failure in turn, in minutes; the last one for all that follow. Four attempts fall into the first hour. */
const pauses = [1, 5, 15, 60, 180, 720] as const;
const hourMs = 60 * minuteMs;

/** When a failed certificate is ordered again. @param failures this one included */
function pauseAfter(failures: number, { problem, retryAfterMs }: Failure): number {
  const usual = (pauses[Math.min(failures, pauses.length) - 1] ?? 1) * minuteMs;
  if (problem === 'rate_limited') return Math.max(usual, Math.min(retryAfterMs ?? hourMs, 24 * hourMs));
  return Math.max(usual, Math.min(retryAfterMs ?? 0, hourMs));
}

/** Stores an issued certificate and ends the claim. @param keys CERTIFICATE_KEYS */
export async function storeIssued(
  sql: Sql,
  keys: KeyRing,
  { name, orderId }: Claim,
  { chain, key }: Issued,
  validity: Validity,
): Promise<void> {
  const { secret, keyId } = seal(keys, name, key);
  await sql.begin(async (tx) => {
    await tx`
      update certificates set chain = ${chain}, secret = ${secret}, key_id = ${keyId},
        not_before = ${validity.notBefore}, not_after = ${validity.notAfter}, attempt_at = ${thirdLeft(validity)},
        window_at = now(), failures = 0, problem = null, detail = null, failed_at = null, claimed_until = null
      where name = ${name}`;
    await tx`update acme_orders set succeeded = true where id = ${orderId}`;
    await tx`delete from acme_orders where ordered_at < now() - interval '8 days'`;
  });
}

/** Stores a failure and ends the claim; what was issued before stays. @returns when it is tried again */
export async function storeFailure(sql: Sql, { name }: Claim, failure: Failure): Promise<Date | null> {
  const [row] = await sql<{ failures: number }[]>`
    select failures + 1 as failures from certificates where name = ${name}`;
  const pauseMs = pauseAfter(row?.failures ?? 1, failure);
  const [stored] = await sql<{ attemptAt: Date }[]>`
    update certificates set failures = failures + 1, problem = ${failure.problem}, detail = ${failure.detail},
      failed_at = now(), attempt_at = now() + ${`${pauseMs} ms`}::interval, claimed_until = null
    where name = ${name} returning attempt_at`;
  return stored?.attemptAt ?? null;
}

/** A process that stops gives its claim back: another one orders it at once. */
export async function releaseClaim(sql: Sql, { name }: Claim): Promise<void> {
  await sql`update certificates set claimed_until = null where name = ${name}`;
}
