import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { lockUser } from '../users/sql.ts';
import { proveIdentity } from './prove.ts';
import { countIdentities, findIdentity, insertIdentity, publicIdentity, shownName } from './sql.ts';
import { refuseMoreIdentities } from './start.ts';

/** Links the identity with which this session's browser comes back from a provider. */
export const linkIdentity: Verb<Routes['POST /api/user/identities'], AuthContext> = async (
  context,
  response,
) => {
  const { userId, sessionId } = context.actor;
  const proven = await proveIdentity(context, response, { purpose: 'link', userId, sessionId });
  const { provider, subject } = proven;
  const { issuer, label } = provider;
  const name = shownName((await proven.profile()).name, subject);
  return context.transaction(async (tx) => {
    if (!(await lockUser(tx, userId))) throw new AppError('not_signed_in');
    const other = await findIdentity(tx.sql, issuer, subject);
    const params = { provider: label };
    if (other?.userId === userId) throw new AppError('identity_linked', { params });
    refuseMoreIdentities(await countIdentities(tx.sql, userId));
    const announcedBy = await orderSecurityMail(tx, userId, {
      kind: 'identity_linked',
      params: { changedAt: new Date().toISOString(), provider: label },
    });
    const row = await insertIdentity(tx, { userId, issuer, subject, name, announcedBy });
    if (!row) throw new AppError('identity_linked_elsewhere', { params });
    await tx.audit({ target: { kind: 'identity', id: row.id, label }, subjectUserId: userId });
    tx.invalidate(userId);
    return publicIdentity(row, context.providers.ofIssuer);
  });
};
