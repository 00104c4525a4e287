import { certificateProblems } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import type { Log } from '@talpa/service-kit/log';
import { type AccountSettings, forgetAccount, openAccount } from './account.ts';
import { type LastResponse, trackingResponses } from './authority-calls.ts';
import { type Claim, claimDue, renewClaim, renewMs, type Wanted } from './claim.ts';
import { orderCertificate } from './order.ts';
import { releaseClaim, storeFailure, storeIssued } from './outcome.ts';
import { type ChallengeType, failureOf } from './problems.ts';
import { askRenewal, renewalIdOf, thirdLeft, validityOf } from './renewal.ts';
import type { Solver } from './solver.ts';

export interface KeeperParts {
  readonly sql: Sql;
  /** TOKEN_KEYS: encrypt the account's key, which no edge may read. */
  readonly accountKeys: KeyRing;
  /** CERTIFICATE_KEYS: encrypt what edges serve. */
  readonly certificateKeys: KeyRing;
  readonly settings: AccountSettings & { readonly ACME_WEEKLY_LIMIT: number };
  readonly wanted: Wanted;
  readonly solverOf: (challenge: ChallengeType) => Solver;
  readonly log: Log;
}

/** Orders and renews certificates. */
export interface Keeper {
  /** Orders what is due. Resolves when nothing more is due, or enough is under way. */
  look(): Promise<void>;
  /** The same for hints: any number of them while one look is under way are one more look. */
  hint(): void;
  /** Waits for what is under way, no longer than a moment, and gives the rest back. */
  stop(): Promise<void>;
}

const atOnce = 4;
const stopMs = 1_000;

export function createKeeper(parts: KeeperParts): Keeper {
  const { sql, wanted, settings, log } = parts;
  const running = new Map<Claim, Promise<void>>();
  /** Given back while their orders were under way: what comes of these is another process's matter. */
  const released = new Set<Claim>();
  let isStopping = false;

  const take = async (claim: Claim) => {
    const timer = setInterval(() => {
      if (!isStopping) void renewClaim(sql, claim).catch(() => {});
    }, renewMs);
    await attempt(parts, claim, () => released.has(claim)).catch((error: unknown) => {
      if (!isStopping) log.error({ err: error, name: claim.name }, 'certificate: internal error, retrying');
    });
    clearInterval(timer);
  };
  const fill = async () => {
    while (!isStopping && running.size < atOnce) {
      const underWay = [...running.keys()].map(({ name }) => name);
      const claim = await claimDue(sql, wanted, settings.ACME_WEEKLY_LIMIT, underWay);
      if (!claim) return;
      const work = take(claim).finally(() => {
        running.delete(claim);
        // Something may have waited for the place.
        hint();
      });
      running.set(claim, work);
    }
  };
  const look = async () => {
    await ensureRows(sql, wanted);
    await fill();
    await askWindows(parts);
  };
  let hints: 'none' | 'looking' | 'more' = 'none';
  let lookOfHint = Promise.resolve();
  const hint = () => {
    if (isStopping) return;
    const isLooking = hints !== 'none';
    hints = isLooking ? 'more' : 'looking';
    if (isLooking) return;
    // What fails here is repeated by the timer, which reports it.
    lookOfHint = look()
      .catch(() => {})
      .finally(() => {
        const isMore = hints === 'more';
        hints = 'none';
        if (isMore) hint();
      });
  };
  return {
    look,
    hint,
    stop: async () => {
      isStopping = true;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, stopMs);
      await Promise.race([Promise.all([lookOfHint, ...running.values()]), promise]);
      clearTimeout(timer);
      for (const claim of running.keys()) {
        released.add(claim);
        await releaseClaim(sql, claim);
      }
    },
  };
}

/** The panel's certificate is ordered once an edge asks for it: before that nobody answers the authority. */
async function ensureRows(sql: Sql, { panel, wildcard }: Wanted): Promise<void> {
  const rows = [{ name: panel, at: 'infinity' }, ...(wildcard ? [{ name: wildcard, at: 'now' }] : [])];
  for (const { name, at } of rows)
    await sql`
      insert into certificates (name, attempt_at)
      select ${name}, ${at}::text::timestamptz where not exists (select 1 from certificates where name = ${name})
      on conflict (name) do nothing`;
}

/** Orders one certificate and stores what came of it, unless the claim was given back meanwhile. */
async function attempt(parts: KeeperParts, claim: Claim, isReleased: () => boolean): Promise<void> {
  const { sql, log, settings } = parts;
  const { name, chain, challenge } = claim;
  const solver = parts.solverOf(challenge);
  const last: LastResponse = {};
  const expiredAt = chain && validityOf(chain).notAfter;
  if (expiredAt && expiredAt < new Date())
    log.warn({ name, expiredAt }, 'certificate has expired, browsers warn of it: another one is ordered now');
  try {
    const issued = await trackingResponses(last, async () => {
      const client = await openAccount(sql, parts.accountKeys, settings, last);
      return orderCertificate(client, name, solver, chain && renewalIdOf(chain), last);
    });
    if (isReleased()) return;
    const validity = validityOf(issued.chain);
    await storeIssued(sql, parts.certificateKeys, claim, issued, validity);
    log.info({ name, challenge, notAfter: validity.notAfter }, 'certificate issued');
  } catch (error) {
    if (isReleased()) return;
    if (last.problem?.type === 'accountDoesNotExist') await forgetAccount(sql, settings.ACME_DIRECTORY);
    const next = await storeFailure(sql, claim, failureOf(error, last, challenge));
    const { problem, detail } = next.failure;
    if (next.otherAtOnce)
      log.info(
        { name, problem, detail },
        `certificate not issued by ${challenge}, trying ${next.otherAtOnce}`,
      );
    else
      log.warn(
        { name, problem, detail, retryAt: next.at },
        `certificate not issued: ${certificateProblems[problem].en}`,
      );
  }
}

/** Asks the authority when it wants certificates renewed. */
async function askWindows({ sql, settings }: KeeperParts): Promise<void> {
  const rows = await sql<{ name: string; chain: string }[]>`
    select name, chain from certificates
    where chain is not null and window_at <= now() and failures = 0 order by window_at limit 20`;
  for (const { name, chain } of rows) {
    const { renewAt, askAgainMs } = await askRenewal(settings.ACME_DIRECTORY, chain);
    const third = thirdLeft(validityOf(chain));
    // By the clock: what became due while this statement was on its way stays due.
    await sql`
      update certificates set window_at = now() + ${`${askAgainMs} ms`}::interval,
        attempt_at = ${renewAt && renewAt < third ? renewAt : third}
      where name = ${name} and chain = ${chain} and failures = 0 and attempt_at > clock_timestamp()`;
  }
}
