import type { Tx } from '@talpa/service-kit/database/transaction';
import { emitUser, findUser } from '../users/sql.ts';

/** Publishes which notifications a user wants now. The caller holds the user's row. */
export async function publishPreferences(tx: Tx, userId: number): Promise<void> {
  await tx.sql`update users set version = version + 1 where id = ${userId}`;
  const user = await findUser(tx.sql, userId);
  if (user) await emitUser(tx, user);
}
