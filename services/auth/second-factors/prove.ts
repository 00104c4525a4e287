import type { Actor } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { unseal } from '@talpa/service-kit/sealed-secret';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { knownDevice } from '../sessions/devices.ts';
import { lockUser } from '../users/sql.ts';
import { countRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import { findAuthenticator } from './sql.ts';
import { stepOf } from './totp.ts';

const windowMinutes = 15;

/** A user with a right code. The user's row is locked. */
interface Proven {
  readonly username: string;
  readonly isAdmin: boolean;
  readonly by: 'app' | 'recoveryCode';
}

interface Proof<T> {
  readonly userId: number;
  /** Of the app, or a recovery code. */
  readonly code: string;
  /** Refuses what has nothing to do with the code, before it is looked at. */
  readonly check?: (tx: Tx) => Promise<void>;
  readonly work: (tx: Tx, proven: Proven) => Promise<T>;
}

/**
 * Does something that takes a code of the second factor. All such calls hold the user's row: guesses made at once are
 * counted one by one, by one counter for whatever they were made, and a code counts once.
 * @throws AppError `wrong_code`, `too_many_requests`, `no_second_factor`
 */
export async function proveFactor<T>(
  context: AuthContext,
  { userId, code, check, work }: Proof<T>,
): Promise<T> {
  const done = await context.transaction(async (tx): Promise<{ result: T } | null> => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('no_second_factor');
    await check?.(tx);
    const device = await knownDevice(tx, userId, context.client);
    await refuseGuessing(tx, context, userId, device);
    const by = await findProof(tx, context, userId, code);
    if (by) {
      const result = await work(tx, { ...user, by });
      if (by === 'recoveryCode') await notifyUsed(tx, userId);
      return { result };
    }
    await countWrong(tx, context, userId, device);
    return null;
  });
  if (done) return done.result;
  throw new AppError('wrong_code', { issues: [{ path: ['code'], key: 'codeWrong' }] });
}

/** The same for the signed-in user. */
export const proveOwnFactor = <T>(
  context: AuthContext & { readonly actor: Actor },
  code: string,
  work: Proof<T>['work'],
): Promise<T> => proveFactor(context, { userId: context.actor.userId, code, work });

/** Uses the code up, if it is right. */
async function findProof(
  tx: Tx,
  { factorKeys }: AuthContext,
  userId: number,
  code: string,
): Promise<Proven['by'] | null> {
  const row = await findAuthenticator(tx.sql, userId);
  if (!row) throw new AppError('no_second_factor');
  if (!isAppCode(code)) return (await useRecoveryCode(tx, userId, code)) ? 'recoveryCode' : null;
  const step = stepOf(unseal(factorKeys, 'FACTOR_KEYS', String(userId), row), code);
  if (step === null) return null;
  const { count } = await tx.sql`
    update authenticators set last_step = ${step}, last_used_at = now()
    where user_id = ${userId} and (last_step is null or last_step < ${step})`;
  return count > 0 ? 'app' : null;
}

const isAppCode = (code: string) => /^\d{6}$/.test(code);

/**
 * Those who guess elsewhere must not lock out the owner: a browser in which they have signed in is counted by itself, all
 * others together. Only somebody who knows the password gets here.
 */
async function refuseGuessing(
  tx: Tx,
  { wrongCodeLimit }: AuthContext,
  userId: number,
  device: string,
): Promise<void> {
  const [row] = await tx.sql<{ count: number; seconds: number }[]>`
    select count, ceil(extract(epoch from window_ends_at - now()))::integer as seconds from wrong_codes
    where user_id = ${userId} and device = ${device} and window_ends_at > now()`;
  if (row && row.count >= wrongCodeLimit)
    throw new AppError('too_many_requests', { params: { seconds: row.seconds } });
}

async function countWrong(
  tx: Tx,
  { wrongCodeLimit }: AuthContext,
  userId: number,
  device: string,
): Promise<void> {
  const [row] = await tx.sql<{ count: number }[]>`
    insert into wrong_codes as known (user_id, device, count, window_ends_at)
    values (${userId}, ${device}, 1, now() + ${`${windowMinutes} minutes`}::interval)
    on conflict (user_id, device) do update set
      count = case when known.window_ends_at > now() then known.count + 1 else 1 end,
      window_ends_at = case when known.window_ends_at > now() then known.window_ends_at
        else excluded.window_ends_at end
    returning count`;
  if (row?.count !== wrongCodeLimit) return;
  const params = { guessedAt: new Date().toISOString() };
  await orderSecurityMail(tx, userId, { kind: 'wrong_codes', params });
}

async function notifyUsed(tx: Tx, userId: number): Promise<void> {
  const params = { usedAt: new Date().toISOString(), left: await countRecoveryCodes(tx.sql, userId) };
  await orderSecurityMail(tx, userId, { kind: 'recovery_code_used', params });
}
