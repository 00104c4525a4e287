import { type Actor, type Routes, subdomainOf, type Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { holdingOf, isReserved } from '../proxy/address.ts';
import { findProxy } from '../proxy/find.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { withFreshProjections } from '../users/fresh.ts';
import { limitReached, readQuota } from '../users/limits.ts';
import { refuseLimitedKey } from './limited-key.ts';

/** Whether a create or an edit would get a subdomain now. It promises nothing: they decide. */
export const checkSubdomain: Verb<Routes['GET /api/subdomain-availability'], ProxiesContext> = async (
  context,
  input,
) => {
  const { settings, reads, actor } = context;
  const { proxyId } = input;
  const owner = proxyId === undefined ? actor : await findProxy(reads, proxyId, editor(actor));
  const holder = await withFreshProjections(context, owner.userId, () => holderOf(context, proxyId));
  const subdomain = subdomainOf('', input.subdomain, settings.TUNNEL_DOMAIN);
  if (subdomain.label === undefined) return { availability: 'invalid' };
  const hostname = `${subdomain.label}.${settings.TUNNEL_DOMAIN}`;
  if (hostname === holder.hostname) return { availability: 'free' };
  if (isReserved(hostname, settings)) return { availability: 'reserved' };
  return { availability: await holdingOf(reads, hostname, holder) };
};

/** Who may edit may check names for it. */
const editor = (actor: Actor) => ({ actor, role: 'manage' }) as const;

interface Holder {
  readonly uuid: string | null;
  readonly userId: number;
  /** What it is reached by now. */
  readonly hostname: string | null;
}

/**
 * Who is to have the name: a proxy that the actor may edit, or a new one where there is room.
 * @throws AppError `not_found`, `account_suspended`, `proxy_suspended`, `proxy_limit_reached`, `api_key_proxies`
 */
async function holderOf(
  context: ProxiesContext & { readonly actor: Actor },
  proxyId: number | undefined,
): Promise<Holder> {
  const { reads, actor } = context;
  if (proxyId !== undefined) {
    const row = await findProxy(reads, proxyId, editor(actor));
    refuseSuspended(row, actor);
    return row;
  }
  refuseLimitedKey(actor);
  const { limit, current } = await readQuota(reads, actor.userId);
  if (current >= limit) throw limitReached(limit);
  return { uuid: null, userId: actor.userId, hostname: null };
}
