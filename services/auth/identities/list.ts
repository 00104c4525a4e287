import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { recordDetailsRead } from '../users/record-details-read.ts';
import { publicProvider } from './providers.ts';
import { identitiesOf } from './sql.ts';

/** The providers that users can sign in with. */
export const listSignInProviders: Verb<Routes['GET /api/sign-in-providers'], AuthContext> = async ({
  providers,
}) => providers.all.map(publicProvider);

/** The caller's identities. */
export const listIdentities: Verb<Routes['GET /api/user/identities'], AuthContext> = (context) =>
  identitiesOf(context, context.actor.userId);

/** A user's identities, for administrators. */
export const listUserIdentities: Verb<Routes['GET /api/admin/users/:id/identities'], AuthContext> = async (
  context,
  { id },
) => {
  await recordDetailsRead(context, id);
  return identitiesOf(context, id);
};
