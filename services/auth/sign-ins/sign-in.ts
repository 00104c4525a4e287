import type { AuditChanges } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { describeDevice, storeDevice } from '../sessions/devices.ts';
import { openSession } from '../sessions/open.ts';
import type { UserRow } from '../users/sql.ts';

/**
 * Opens a session for an authenticated user, and orders an email if the browser is new. The caller holds the user's row.
 * @param by `withFactor`: the user has proven a second factor; `changes`: what the audit trail records
 * @returns the session's JWT
 */
export async function signIn(
  tx: Tx,
  context: AuthContext,
  { id, isAdmin }: Pick<UserRow, 'id' | 'isAdmin'>,
  { withFactor = false, changes = {} }: { withFactor?: boolean; changes?: AuditChanges } = {},
): Promise<string> {
  const { sessionId, jwt } = await openSession(tx, id, context, withFactor);
  if (await storeDevice(tx, id, context.client)) {
    const { address: ipAddress, userAgent } = context.client;
    const params = { signedInAt: new Date().toISOString(), device: describeDevice(userAgent), ipAddress };
    await orderSecurityMail(tx, id, { kind: 'new_device', params });
  }
  await tx.audit({
    actor: { userId: id, isAdmin, sessionId },
    target: { kind: 'session', id: sessionId, label: null },
    subjectUserId: id,
    changes,
  });
  return jwt;
}
