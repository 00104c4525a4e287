import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';
import { orderFirstVerification } from '../emails/order-verification.ts';
import { enterAddress } from '../emails/sql.ts';
import { storeDevice } from '../sessions/devices.ts';
import { openSession } from '../sessions/open.ts';
import { insertUser } from '../users/sql.ts';

/** Who registers. */
interface Newcomer {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string;
  readonly hasPassword: boolean;
  /** Empty: none. */
  readonly email: string;
}

/**
 * Creates an account for somebody who registers, and their first session.
 * @throws AppError `username_taken`, `username_similar`
 */
export async function openAccount(
  tx: Tx,
  context: AuthContext,
  { id, username, passwordHash, hasPassword, email }: Newcomer,
): Promise<{ sessionId: string; jwt: string }> {
  await insertUser(tx, { id, username, passwordHash, hasPassword, isAdmin: false });
  const { entered } = await enterAddress(tx, id, email);
  if (entered) await orderFirstVerification(tx, id, entered);
  await storeDevice(tx, id, context.client);
  return openSession(tx, id, context);
}
