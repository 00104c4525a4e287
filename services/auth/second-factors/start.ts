import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { seal, unseal } from '@talpa/service-kit/sealed-secret';
import type { AuthContext } from '../context.ts';
import { lockUser } from '../passwords/tokens.ts';
import { findAuthenticator } from './sql.ts';
import { newTotpSecret, shownSecret, totpUri } from './totp.ts';

/**
 * Shows the secret that an authenticator app takes. It counts once a code of the app has confirmed it; until then the same
 * one is shown again, in whichever tab, so that one may leave and come back.
 */
export const startAuthenticator: Verb<Routes['POST /api/user/authenticator'], AuthContext> = (context) => {
  const { userId } = context.actor;
  return context.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_signed_in');
    const secret = await pendingSecret(tx, context, userId);
    return { secret: shownSecret(secret), uri: totpUri(secret, issuerOf(context), user.username) };
  });
};

/** What apps list the account under. */
const issuerOf = ({ publicUrl }: AuthContext) =>
  publicUrl === undefined ? 'Talpa' : `Talpa (${new URL(publicUrl).hostname})`;

async function pendingSecret(tx: Tx, { factorKeys }: AuthContext, userId: number): Promise<Buffer> {
  const known = await findAuthenticator(tx.sql, userId);
  if (known?.confirmedAt) throw new AppError('authenticator_exists');
  if (known) return unseal(factorKeys, 'FACTOR_KEYS', String(userId), known);
  const secret = newTotpSecret();
  const sealed = seal(factorKeys, String(userId), secret);
  await tx.sql`delete from authenticators where user_id = ${userId}`;
  await tx.sql`
    insert into authenticators (user_id, secret, key_id) values (${userId}, ${sealed.secret}, ${sealed.keyId})`;
  return secret;
}
