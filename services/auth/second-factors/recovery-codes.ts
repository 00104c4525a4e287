import { createHash } from 'node:crypto';
import { recoveryCodeLength, shownCode } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { randomCode } from '../random-code.ts';

/** So many a user is given. */
const count = 10;

/** 80 random bits need no salt and no slow hash. */
const hashOf = (code: string) => createHash('sha256').update(code).digest();

/** Gives a user new recovery codes; all earlier ones are void. The caller holds the user's row. */
export async function makeRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: count }, () => randomCode(recoveryCodeLength));
  await tx.sql`delete from recovery_codes where user_id = ${userId}`;
  await tx.sql`insert into recovery_codes ${tx.sql(codes.map((code) => ({ userId, hash: hashOf(code) })))}`;
  return codes.map(shownCode);
}

/** Uses a recovery code up: of those who try at once, for one alone. */
export async function useRecoveryCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const { count: used } = await tx.sql`
    update recovery_codes set used_at = now()
    where user_id = ${userId} and hash = ${hashOf(code)} and used_at is null`;
  return used > 0;
}

/** How many recovery codes a user has left. */
export async function countRecoveryCodes(sql: AnySql, userId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from recovery_codes where user_id = ${userId} and used_at is null`;
  return row?.count ?? 0;
}
