import { createReserved, isReservedLabel, labelSkeleton, subdomainOf } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../app.ts';

type AddressSettings = Pick<ProxiesContext['settings'], 'TUNNEL_DOMAIN' | 'PUBLIC_URL' | 'RESERVED_NAMES'>;

/**
 * The full public name of a proxy; whether it may have that is `refuseReserved`'s question.
 * @throws AppError `invalid_input` on `customUrl`
 */
export function hostnameFor(
  input: { readonly serverName: string; readonly customUrl: string | null },
  { TUNNEL_DOMAIN: domain }: Pick<AddressSettings, 'TUNNEL_DOMAIN'>,
): string {
  const subdomain = subdomainOf(input.serverName, input.customUrl, domain);
  if ('problem' in subdomain && subdomain.problem !== 'subdomain_reserved')
    throw invalidField('customUrl', subdomain.problem);
  return `${subdomain.label}.${domain}`;
}

/**
 * Refuses a name that is the panel's, or reserved by us or the operator. A proxy that has it already keeps it.
 * @throws AppError `subdomain_reserved`
 */
export function refuseReserved(hostname: string, settings: AddressSettings): void {
  const { PUBLIC_URL: url, RESERVED_NAMES: more } = settings;
  const label = labelOfHostname(hostname);
  const isPanel = url !== undefined && new URL(url).hostname === hostname;
  if (isPanel || isReservedLabel(label) || createReserved(more, labelSkeleton)(label))
    throw new AppError('subdomain_reserved', { params: { subdomain: label } });
}

const labelOfHostname = (hostname: string) => hostname.slice(0, hostname.indexOf('.'));

/** Where the connector finds the admin panel. */
export function originOf(serverIp: string, adminPort: number): string {
  return `http://${serverIp.includes(':') ? `[${serverIp}]` : serverIp}:${adminPort}`;
}

/**
 * Reserves a name for a proxy. A name that a deleted proxy of the same user still holds is taken over. Nobody gets one
 * that looks like another user's.
 * @throws AppError `subdomain_taken`, `subdomain_similar`
 */
export async function reserveHostname(
  tx: Tx,
  hostname: string,
  proxy: { readonly uuid: string; readonly userId: number },
): Promise<void> {
  const subdomain = labelOfHostname(hostname);
  const skeleton = labelSkeleton(subdomain);
  // Two who look alike see each other, also when they come at once.
  await tx.sql`select lock_transaction(${`hostname ${skeleton}`})`;
  const [similar] = await tx.sql`
    select 1 from hostnames join proxies holder on holder.uuid = hostnames.proxy_uuid
    where skeleton = ${skeleton} and hostnames.hostname <> ${hostname} and holder.user_id <> ${proxy.userId} limit 1`;
  if (similar) throw new AppError('subdomain_similar', { params: { subdomain } });
  const { count } = await tx.sql`
    insert into hostnames (hostname, proxy_uuid) values (${hostname}, ${proxy.uuid}) on conflict do nothing`;
  if (count === 1) return;
  const taken = await tx.sql`
    update hostnames set proxy_uuid = ${proxy.uuid}
    where hostname = ${hostname} and (proxy_uuid = ${proxy.uuid} or exists (
      select 1 from proxies holder
      where holder.uuid = hostnames.proxy_uuid and holder.removed_at is not null
        and holder.user_id = ${proxy.userId}))`;
  if (taken.count === 0) throw new AppError('subdomain_taken', { params: { subdomain } });
}

/** Gives back all names of a proxy but one (or all of them). */
export async function releaseHostnames(tx: Tx, uuid: string, keep: string | null): Promise<void> {
  await tx.sql`
    delete from hostnames where proxy_uuid = ${uuid} and hostname is distinct from ${keep}`;
}
