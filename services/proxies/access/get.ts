import { countryOf } from '@talpa/access/country';
import {
  type AccessPolicy,
  includesRole,
  type ProxyAccess,
  type Routes,
  tunnelProviders,
  type Verb,
} from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findProxy, roleOn } from '../proxy/find.ts';
import { readPolicy, type StoredPolicy } from './row.ts';

/** Who may visit a proxy. */
export const getAccess: Verb<Routes['GET /api/tunnel-configs/:id/access'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { reads, actor } = context;
  const proxy = await findProxy(reads, id, context);
  const stored = await readPolicy(reads, proxy.uuid);
  const role = await roleOn(reads, proxy, actor);
  const mayManage = role !== null && includesRole(role, 'manage');
  return publicAccess(context, mayManage ? stored : { ...stored, policy: withoutEmails(stored.policy) });
};

/** Whose addresses are listed concerns those who may change it. */
const withoutEmails = (policy: AccessPolicy): AccessPolicy =>
  policy.kind === 'wall' ? { ...policy, emails: [] } : policy;

/** A policy as the API shows it. */
export function publicAccess(
  { settings, client }: Pick<ProxiesContext, 'settings' | 'client'>,
  { policy, pinHash, passwordHash }: StoredPolicy,
): ProxyAccess {
  const { address } = client;
  return {
    policy,
    address,
    country: countryOf(address),
    secrets: { pin: pinHash !== null, password: passwordHash !== null },
    email: settings.MAIL_FROM !== undefined,
    signIn: settings.PUBLIC_URL !== undefined,
    available: tunnelProviders[settings.TUNNEL_PROVIDER].accessPolicies,
  };
}
