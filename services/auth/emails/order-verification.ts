import { randomUUID } from 'node:crypto';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { orderToken, waitForMail } from '../one-time-tokens/sql.ts';
import type { EmailRow } from './sql.ts';

const purpose = 'verify_email';

/**
 * Orders the email with the link that verifies an address. The caller holds the user's row.
 * @throws AppError `too_many_requests`
 */
export async function orderVerification(
  tx: Tx,
  userId: number,
  { id: addressId, addressKey }: Pick<EmailRow, 'id' | 'addressKey'>,
): Promise<void> {
  const seconds = await waitForMail(tx.sql, { userId, purpose, addressKey });
  if (seconds > 0) throw new AppError('too_many_requests', { params: { seconds } });
  const id = randomUUID();
  await orderToken(tx, { id, userId, purpose, addressId });
  await tx.command('notifications.sendMail', {
    id,
    userId,
    at: new Date().toISOString(),
    mail: { kind: 'verify_email', params: {} },
  });
}

/** The same for an address that has just been entered: beyond the limit it is stored, and one asks for the email later. */
export async function orderFirstVerification(
  tx: Tx,
  userId: number,
  email: Pick<EmailRow, 'id' | 'addressKey'>,
): Promise<void> {
  if ((await waitForMail(tx.sql, { userId, purpose, addressKey: email.addressKey })) > 0) return;
  await orderVerification(tx, userId, email);
}
