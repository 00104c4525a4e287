import { subdomainOf } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../app.ts';

/**
 * The full public name of a proxy.
 * @throws AppError `invalid_input` on `customUrl`, `subdomain_reserved`
 */
export function hostnameFor(
  input: { readonly serverName: string; readonly customUrl: string | null },
  settings: Pick<ProxiesContext['settings'], 'TUNNEL_DOMAIN' | 'PUBLIC_URL'>,
): string {
  const subdomain = subdomainOf(input.serverName, input.customUrl, settings.TUNNEL_DOMAIN);
  if ('problem' in subdomain && subdomain.problem !== 'subdomain_reserved')
    throw invalidField('customUrl', subdomain.problem);
  const hostname = `${subdomain.label}.${settings.TUNNEL_DOMAIN}`;
  const isPanel = settings.PUBLIC_URL !== undefined && new URL(settings.PUBLIC_URL).hostname === hostname;
  if ('problem' in subdomain || isPanel)
    throw new AppError('subdomain_reserved', { params: { subdomain: subdomain.label ?? '' } });
  return hostname;
}

/** Where the connector finds the admin panel. */
export function originOf(serverIp: string, adminPort: number): string {
  return `http://${serverIp.includes(':') ? `[${serverIp}]` : serverIp}:${adminPort}`;
}

/**
 * Reserves a name for a proxy. A name that a deleted proxy of the same user still holds is taken over.
 * @throws AppError `subdomain_taken`
 */
export async function reserveHostname(
  tx: Tx,
  hostname: string,
  proxy: { readonly uuid: string; readonly userId: number },
): Promise<void> {
  const { count } = await tx.sql`
    insert into hostnames (hostname, proxy_uuid) values (${hostname}, ${proxy.uuid}) on conflict do nothing`;
  if (count === 1) return;
  const taken = await tx.sql`
    update hostnames set proxy_uuid = ${proxy.uuid}
    where hostname = ${hostname} and (proxy_uuid = ${proxy.uuid} or exists (
      select 1 from proxies holder
      where holder.uuid = hostnames.proxy_uuid and holder.removed_at is not null
        and holder.user_id = ${proxy.userId}))`;
  if (taken.count === 0) {
    const subdomain = hostname.slice(0, hostname.indexOf('.'));
    throw new AppError('subdomain_taken', { params: { subdomain } });
  }
}

/** Gives back all names of a proxy but one (or all of them). */
export async function releaseHostnames(tx: Tx, uuid: string, keep: string | null): Promise<void> {
  await tx.sql`
    delete from hostnames where proxy_uuid = ${uuid} and hostname is distinct from ${keep}`;
}
