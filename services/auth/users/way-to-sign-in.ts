import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';

/**
 * Refuses to leave a user without a way to sign in: a password, a passkey for the panel's present address, or an identity whose provider is
 * offered. The caller holds the user's row, and has removed one of them.
 * @throws AppError `last_way_to_sign_in`
 */
export async function refuseNoWayToSignIn(
  { sql }: Pick<Tx, 'sql'>,
  { providers, passkeyHost }: Pick<AuthContext, 'providers' | 'passkeyHost'>,
  userId: number,
): Promise<void> {
  const issuers = providers.all.map(({ issuer }) => issuer);
  const [user] = await sql`
    select 1 from users where id = ${userId} and (
      has_password
      or exists (select 1 from passkeys where user_id = users.id and host = ${passkeyHost})
      or exists (select 1 from identities where user_id = users.id and issuer in ${sql(['', ...issuers])}))`;
  if (!user) throw new AppError('last_way_to_sign_in');
}
