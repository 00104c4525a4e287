import { createReserved, isReservedLabel, labelSkeleton, subdomainOf } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import { inOneGo } from '@talpa/service-kit/database/pipeline';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { reservedSince } from '../reservations.ts';

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
  if (isReserved(hostname, settings))
    throw new AppError('subdomain_reserved', { params: { subdomain: labelOfHostname(hostname) } });
}

/** Whether a name is the panel's, or reserved by us or the operator. */
export function isReserved(hostname: string, settings: AddressSettings): boolean {
  const { PUBLIC_URL: url, RESERVED_NAMES: more } = settings;
  const label = labelOfHostname(hostname);
  const isPanel = url !== undefined && new URL(url).hostname === hostname;
  return isPanel || isReservedLabel(label) || createReserved(more, labelSkeleton)(label);
}

const labelOfHostname = (hostname: string) => hostname.slice(0, hostname.indexOf('.'));

/** More of a user's names stay reserved no longer: else they could take all that are worth having. */
const mostReserved = 100;

/**
 * Reserves a name for a proxy. A name that a deleted proxy of the same user still holds, or that the user has given back, is taken over.
 * Nobody gets one that is, looks like or was another user's.
 * @throws AppError `subdomain_taken`, `subdomain_similar`
 */
export async function reserveHostname(
  tx: Tx,
  hostname: string,
  proxy: { readonly uuid: string; readonly userId: number },
): Promise<void> {
  const subdomain = labelOfHostname(hostname);
  const skeleton = labelSkeleton(subdomain);
  const [, [similar], { count }, , [reserved]] = await inOneGo(
    // Two who look alike see each other, also when they come at once.
    tx.sql`select lock_transaction(${`hostname ${skeleton}`})`,
    tx.sql`
      select 1 from hostnames join proxies holder on holder.uuid = hostnames.proxy_uuid
      where skeleton = ${skeleton} and hostnames.hostname <> ${hostname} and holder.user_id <> ${proxy.userId} limit 1`,
    // One statement: between two the deleted proxy could give the name back, and it would seem taken.
    tx.sql`
      insert into hostnames (hostname, proxy_uuid) values (${hostname}, ${proxy.uuid})
      on conflict (hostname) do update set proxy_uuid = excluded.proxy_uuid
      where hostnames.proxy_uuid = excluded.proxy_uuid or exists (
        select 1 from proxies holder
        where holder.uuid = hostnames.proxy_uuid and holder.removed_at is not null
          and holder.user_id = ${proxy.userId})`,
    tx.sql`delete from reserved_hostnames where hostname = ${hostname} and user_id = ${proxy.userId}`,
    // After the insert, which waits for somebody who is just giving the name back.
    tx.sql<{ isSame: boolean }[]>`
      select hostname = ${hostname} as is_same from reserved_hostnames
      where skeleton = ${skeleton} and user_id <> ${proxy.userId} and released_at > ${reservedSince(tx.sql)}
      order by is_same desc limit 1`,
  );
  if (similar || reserved?.isSame === false)
    throw new AppError('subdomain_similar', { params: { subdomain } });
  if (count === 0 || reserved) throw new AppError('subdomain_taken', { params: { subdomain } });
}

/**
 * Whether `reserveHostname` would give a name now.
 * @param uuid the proxy that is to have it; null: a new one
 */
export async function holdingOf(
  sql: AnySql,
  hostname: string,
  { uuid, userId }: { readonly uuid: string | null; readonly userId: number },
): Promise<'free' | 'taken' | 'similar'> {
  const held = await sql<{ isSame: boolean; isMine: boolean; isOver: boolean }[]>`
    select hostnames.hostname = ${hostname} as is_same, holder.user_id is not distinct from ${userId} as is_mine,
      proxy_uuid is not distinct from ${uuid}::uuid
        or (holder.removed_at is not null and holder.user_id = ${userId}) as is_over
    from hostnames left join proxies holder on holder.uuid = hostnames.proxy_uuid
    where skeleton = ${labelSkeleton(labelOfHostname(hostname))}
    union all
    select hostname = ${hostname}, user_id = ${userId}, user_id = ${userId} from reserved_hostnames
    where skeleton = ${labelSkeleton(labelOfHostname(hostname))} and released_at > ${reservedSince(sql)}`;
  if (held.some(({ isSame, isMine }) => !isSame && !isMine)) return 'similar';
  return held.some(({ isSame, isOver }) => isSame && !isOver) ? 'taken' : 'free';
}

/** Gives back all names of a proxy but one (or all of them). For some days they go to nobody but their user. */
export async function releaseHostnames(
  { sql }: Tx,
  { uuid, userId }: { readonly uuid: string; readonly userId: number },
  keep: string | null,
): Promise<void> {
  const { count } = await sql`
    with released as (
      delete from hostnames where proxy_uuid = ${uuid} and hostname is distinct from ${keep} returning hostname
    )
    insert into reserved_hostnames (hostname, user_id) select hostname, ${userId} from released
    on conflict (hostname) do update set user_id = excluded.user_id, released_at = excluded.released_at`;
  if (count > 0)
    await sql`
      delete from reserved_hostnames where hostname in (
        select hostname from reserved_hostnames where user_id = ${userId} order by released_at desc offset ${mostReserved})`;
}
