import type { Tx } from '@talpa/service-kit/database/transaction';
import { usableApiKeyNames } from '../api-keys/sql.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';

/** Orders the email about a new password. It names the user's API keys: a new password does not end them. */
export async function orderPasswordChangedMail(tx: Tx, userId: number): Promise<void> {
  const names = await usableApiKeyNames(tx, userId);
  const params = {
    changedAt: new Date().toISOString(),
    ...(names.length > 0 ? { apiKeys: names.join(', ') } : {}),
  };
  await orderSecurityMail(tx, userId, { kind: 'password_changed', params });
}
