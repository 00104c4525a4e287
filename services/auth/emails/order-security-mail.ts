import { randomUUID } from 'node:crypto';
import type { Mail } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { orderToken } from '../passwords/tokens.ts';
import { type EmailRow, findEmails } from './sql.ts';

type SecurityMail = Extract<Mail, { kind: 'password_changed' | 'email_changed' | 'new_device' }>;

/**
 * Tells a user what concerns their account's security, with a link by which they say that it was not them. It goes to the
 * address that counts now, whatever becomes of it until it is sent. Without one it is ordered, too: the inbox tells some of it.
 * The caller holds the user's row.
 * @param to another address
 */
export async function orderSecurityMail(
  tx: Tx,
  userId: number,
  mail: SecurityMail,
  to?: Pick<EmailRow, 'id'>,
): Promise<void> {
  const address = to ?? (await findEmails(tx.sql, userId)).verified;
  const id = randomUUID();
  if (address) await orderToken(tx, { id, userId, purpose: 'not_me', addressId: address.id });
  await tx.command('notifications.sendMail', { ...{ id, userId, at: new Date().toISOString() }, mail });
}
