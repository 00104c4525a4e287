import type { CertificateProblem } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import { seal } from '@talpa/service-kit/sealed-secret';
import type { Claim } from './claim.ts';
import type { Issued } from './order.ts';
import { type ChallengeType, challengeAfter, type Failure } from './problems.ts';
import { thirdLeft, type Validity } from './renewal.ts';

const minuteMs = 60_000;
/** The pause after each failure in turn, in minutes; the last one for all that follow. */
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
  { name, orderId, challenge }: Claim,
  { chain, key }: Issued,
  validity: Validity,
): Promise<void> {
  const { secret, keyId } = seal(keys, name, key);
  await sql.begin(async (tx) => {
    await tx`
      update certificates set chain = ${chain}, secret = ${secret}, key_id = ${keyId},
        challenge = ${challenge}, not_before = ${validity.notBefore}, not_after = ${validity.notAfter}, attempt_at = ${thirdLeft(validity)},
        window_at = now(), failures = 0, problem = null, detail = null, failed_at = null, claimed_until = null
      where name = ${name}`;
    await tx`update acme_orders set succeeded = true where id = ${orderId}`;
    await tx`delete from acme_orders where ordered_at < now() - interval '8 days'`;
  });
}

/** How a failed certificate is ordered next. */
interface NextAttempt {
  readonly at: Date | null;
  /** Set where it is the other one, without a pause. */
  readonly otherAtOnce: ChallengeType | null;
  readonly failure: Failure;
}

interface Before {
  readonly failures: number;
  readonly problem: CertificateProblem | null;
  readonly detail: string | null;
  /** The challenge before this one failed, and this one followed at once. */
  readonly isSecond: boolean;
}

/** Stores a failure and ends the claim; what was issued before stays. Two challenges in a row count as one failure. */
export async function storeFailure(
  sql: Sql,
  { name, challenge: failed }: Claim,
  last: Failure,
): Promise<NextAttempt> {
  const [before] = await sql<Before[]>`
    select failures, problem, detail, coalesce(attempt_at = failed_at, false) as is_second
    from certificates where name = ${name}`;
  const challenge = challengeAfter(failed, last.problem);
  const isOther = challenge !== failed;
  const isAtOnce = isOther && !before?.isSecond;
  const failure = before?.isSecond && isOther ? withFirst(before, last) : last;
  const failures = (before?.failures ?? 0) + (isAtOnce ? 0 : 1);
  const pauseMs = isAtOnce ? 0 : pauseAfter(isOther ? failures + 1 : failures, failure);
  const [stored] = await sql<{ attemptAt: Date }[]>`
    update certificates set failures = ${failures}, problem = ${failure.problem}, detail = ${failure.detail},
      challenge = ${challenge}, failed_at = now(), attempt_at = now() + ${`${pauseMs} ms`}::interval,
      claimed_until = null
    where name = ${name} returning attempt_at`;
  return { at: stored?.attemptAt ?? null, otherAtOnce: isAtOnce ? challenge : null, failure };
}

/** Another server on one port says more than the other port that is closed. */
function withFirst(first: Before, last: Failure): Failure {
  const problem = first.problem === 'wrong_server' ? first.problem : last.problem;
  return { ...last, problem, detail: [first.detail, last.detail].filter(Boolean).join('; ') };
}

/** A process that stops gives its claim back: another one orders it at once. */
export async function releaseClaim(sql: Sql, { name }: Claim): Promise<void> {
  await sql`update certificates set claimed_until = null where name = ${name}`;
}
