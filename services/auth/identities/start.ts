import { identitiesPerUser, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { inWords } from './problems.ts';
import { createRequest, deviceOf, type RequestScope } from './requests.ts';
import { countIdentities } from './sql.ts';

/** Says where to sign in at a provider. It names no user. */
export const startProviderLogin: Verb<Routes['POST /api/login/provider/request'], AuthContext> = (
  context,
  { provider },
) => start(context, provider, { purpose: 'sign_in' });

/** The same for somebody who links the identity that they sign in with there. */
export const startIdentity: Verb<Routes['POST /api/user/identities/request'], AuthContext> = async (
  context,
  { provider },
) => {
  const { userId, sessionId } = context.actor;
  refuseMoreIdentities(await countIdentities(context.sql, userId));
  return start(context, provider, { purpose: 'link', userId, sessionId });
};

/** @throws AppError `identity_limit` */
export function refuseMoreIdentities(count: number): void {
  if (count >= identitiesPerUser)
    throw new AppError('identity_limit', { params: { limit: identitiesPerUser } });
}

async function start(context: AuthContext, id: string, scope: RequestScope) {
  const { sql, providers, log } = context;
  const provider = providers.get(id);
  const checks = await createRequest(sql, { provider: id, device: deviceOf(context) }, scope);
  const url = await context.whileWaiting(inWords(provider, log, provider.client.addressFor(checks)));
  return { url };
}
