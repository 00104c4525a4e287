import { Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { targetOf } from '../domains/row.ts';
import type { ProxyRow } from '../proxy/row.ts';
import type { ProxiesSettings } from '../settings.ts';

const queryMs = 1_000;
const limitMs = 2_000;

type Target = Pick<ProxyRow, 'applied' | 'hostname' | 'serverIp'>;

/** Refuses a proxy whose server has no IP address. @throws AppError `game_port_no_address` */
export function refuseName({ serverIp }: Pick<ProxyRow, 'serverIp'>): void {
  if (isIP(serverIp) === 0) throw new AppError('game_port_no_address');
}

/** Refuses a name as the address of a server that has game ports. @throws AppError `game_port_no_address` */
export async function refuseNameWithPorts(
  sql: AnySql,
  { id }: Pick<ProxyRow, 'id'>,
  serverIp: string,
): Promise<void> {
  if (isIP(serverIp) !== 0) return;
  const [port] = await sql`select 1 from game_ports where proxy_id = ${id} and removed_at is null limit 1`;
  if (port) refuseName({ serverIp });
}

/**
 * Refuses a target that is a public port of this installation: connections would run in circles. An address that DNS does not
 * show to be ours is not noticed; the limits of connections end such a circle.
 * @throws AppError `game_port_loop`
 */
export async function refuseLoop(
  proxy: Target,
  targetPort: number,
  settings: Pick<ProxiesSettings, 'EDGE_TCP_PORTS' | 'DNS_SERVERS'>,
): Promise<void> {
  const { EDGE_TCP_PORTS: range, DNS_SERVERS: servers } = settings;
  if (range === null || targetPort < range.first || targetPort > range.last) return;
  const own = new BlockList();
  for (const address of await addressesOf(targetOf(proxy), servers))
    own.addAddress(address, familyOf(address));
  if (own.check(proxy.serverIp, familyOf(proxy.serverIp))) throw new AppError('game_port_loop');
}

/**
 * Refuses an address of a server at which one of its game ports would be a public port of this installation.
 * @throws AppError `game_port_loop`
 */
export async function refuseLoops(
  sql: AnySql,
  proxy: Target & Pick<ProxyRow, 'id'>,
  settings: Pick<ProxiesSettings, 'EDGE_TCP_PORTS' | 'DNS_SERVERS'>,
): Promise<void> {
  const { EDGE_TCP_PORTS: range } = settings;
  if (range === null || isIP(proxy.serverIp) === 0) return;
  const [port] = await sql<{ targetPort: number }[]>`
    select target_port from game_ports
    where proxy_id = ${proxy.id} and removed_at is null and target_port between ${range.first} and ${range.last} limit 1`;
  if (port) await refuseLoop(proxy, port.targetPort, settings);
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The addresses of a name; none when they cannot be found out. */
async function addressesOf(name: string, servers: readonly string[]): Promise<readonly string[]> {
  // These are the machine itself (RFC 6761), and no name server knows them.
  if (name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: queryMs, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), limitMs);
  const none = () => [];
  try {
    const found = [resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)];
    return (await Promise.all(found)).flat();
  } finally {
    clearTimeout(timer);
  }
}
