import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { lockUser } from '../users/sql.ts';
import { findPending, makePending } from './pending.ts';
import { shownSecret, totpUri } from './totp.ts';

/**
 * Shows the secret that an authenticator app takes. It counts, in place of a former app, once a code of the app has confirmed it in
 * the same session; until then the same one is shown again, in whichever tab, so that one may leave and come back.
 */
export const startAuthenticator: Verb<Routes['POST /api/user/authenticator'], AuthContext> = (context) => {
  const { actor } = context;
  const { userId } = actor;
  return context.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_signed_in');
    const known = await findPending(tx.sql, context, actor);
    const secret = known ?? (await makePending(tx, context, actor));
    if (!known) {
      await tx.audit({ target: { kind: 'user', id: userId, label: user.username }, subjectUserId: userId });
      const params = { startedAt: new Date().toISOString() };
      await orderSecurityMail(tx, userId, { kind: 'factor_started', params });
    }
    return { secret: shownSecret(secret), uri: totpUri(secret, issuerOf(context), user.username) };
  });
};

/** What apps list the account under. */
const issuerOf = ({ publicUrl }: AuthContext) =>
  publicUrl === undefined ? 'Talpa' : `Talpa (${new URL(publicUrl).hostname})`;
