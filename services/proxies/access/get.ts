import type { ProxyAccess, Routes, Verb } from '@talpa/contracts';
import { countryOf } from '@talpa/service-kit/access/country';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxies/find.ts';
import { readPolicy, type StoredPolicy } from './row.ts';

/** Who may visit a proxy. */
export const getAccess: Verb<Routes['GET /api/tunnel-configs/:id/access'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { uuid } = await findProxy(context.reads, id, context);
  return publicAccess(context, await readPolicy(context.reads, uuid));
};

/** A policy as the API shows it. */
export function publicAccess(
  { settings, client }: Pick<ProxiesContext, 'settings' | 'client'>,
  { policy, pinHash, passwordHash }: StoredPolicy,
): ProxyAccess {
  const { address } = client;
  return {
    ...{ policy, address, country: countryOf(address) },
    secrets: { pin: pinHash !== null, password: passwordHash !== null },
    signIn: settings.PUBLIC_URL !== undefined,
    available: settings.TUNNEL_PROVIDER !== 'cloudflare',
  };
}
