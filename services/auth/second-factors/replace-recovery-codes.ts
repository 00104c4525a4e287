import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { proveOwnFactor } from './prove.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';

/** Makes new recovery codes; the earlier ones are void. Only this response has them. */
export const replaceRecoveryCodes: Verb<Routes['POST /api/user/recovery-codes'], AuthContext> = async (
  context,
  { code },
) => {
  const { userId } = context.actor;
  const recoveryCodes = await proveOwnFactor(context, code, async (tx, { username }) => {
    await tx.audit({ target: { kind: 'user', id: userId, label: username }, subjectUserId: userId });
    const params = { changedAt: new Date().toISOString() };
    await orderSecurityMail(tx, userId, { kind: 'recovery_codes_replaced', params });
    return makeRecoveryCodes(tx, userId);
  });
  return { recoveryCodes };
};
