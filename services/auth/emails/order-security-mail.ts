import { randomUUID } from 'node:crypto';
import type { Mail, SecurityEvent } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { orderToken } from '../one-time-tokens/sql.ts';
import { type EmailRow, findEmails } from './sql.ts';

type SecurityMail = Extract<Mail, { kind: SecurityEvent }>;

/**
 * Orders an email about the security of a user's account, with a link that reports the event as not theirs. The email goes
 * to the address that is verified now, even if another one replaces it before the email is sent. A user without an address
 * gets only the notification in the inbox. The caller holds the user's row.
 * @param to an address to use instead
 * @returns the email's cause
 */
export async function orderSecurityMail(
  tx: Tx,
  userId: number,
  mail: SecurityMail,
  to?: Pick<EmailRow, 'id'>,
): Promise<string> {
  const address = to ?? (await findEmails(tx.sql, userId)).verified;
  const id = randomUUID();
  if (address) await orderToken(tx, { id, userId, purpose: 'not_me', addressId: address.id });
  await tx.command('notifications.sendMail', { id, userId, at: new Date().toISOString(), mail });
  return id;
}
