import type { InternalCalls, ResyncReport, TunnelHealth } from '@talpa/contracts';
import type { z } from 'zod';
import type { FoundRecord, ProviderTunnel } from '../provider/client.ts';
import { proxyOfRecord, recordContent, serverOfTunnel } from '../provider/names.ts';

/** What proxies believes to be at the provider for one server. */
export type KnownServer = z.output<InternalCalls['proxies.listServers']['response']>['servers'][number];
/** What was seen of a server's tunnel. */
export interface Seen {
  readonly serverId: string;
  readonly tunnelId: string;
  readonly health: TunnelHealth | 'missing';
}

/** Nothing is to be done for a server and its proxies. */
const isSettled = ({ settled, proxies }: KnownServer) => settled && proxies.every((proxy) => proxy.settled);

/** Tunnels whose health is another than known, and those that are not listed. */
export function compareHealth(known: readonly KnownServer[], tunnels: readonly ProviderTunnel[]) {
  const byId = new Map(tunnels.map((tunnel) => [tunnel.id, tunnel]));
  const changed: Seen[] = [];
  const unlisted: { serverId: string; tunnelId: string }[] = [];
  for (const server of known) {
    const { serverId, tunnelId, health } = server;
    if (tunnelId === null) continue;
    const tunnel = byId.get(tunnelId);
    if (tunnel?.status && tunnel.status !== health)
      changed.push({ serverId, tunnelId, health: tunnel.status });
    if (!tunnel && isSettled(server)) unlisted.push({ serverId, tunnelId });
  }
  return { changed, unlisted };
}

type Leftovers = ResyncReport['leftovers'][number];

/**
 * Tunnels and records of this installation that nobody wants, by the uuid in their name: a server's, a proxy's, or of a server and its first
 * proxy. Those made after `madeBefore`, and those that are being worked on, are left alone.
 */
export function findLeftovers(
  installationId: string,
  known: readonly KnownServer[],
  tunnels: readonly ProviderTunnel[],
  records: readonly FoundRecord[],
  madeBefore: Date,
): Leftovers[] {
  const servers = new Map(known.map((server) => [server.serverId, server]));
  const proxies = new Map(known.flatMap((server) => server.proxies.map((proxy) => [proxy.proxyId, proxy])));
  const found = new Map<string, Leftovers>();
  const leftoversOf = (proxyId: string) => {
    const one = found.get(proxyId) ?? { proxyId, tunnels: [], records: [] };
    found.set(proxyId, one);
    return one;
  };
  for (const { id, name, createdAt } of tunnels) {
    const serverId = serverOfTunnel(installationId, name);
    if (!serverId || createdAt >= madeBefore) continue;
    const server = servers.get(serverId);
    if (!server || (server.settled && server.tunnelId !== id)) leftoversOf(serverId).tunnels.push(name);
  }
  for (const record of records) {
    const proxyId = proxyOfRecord(installationId, record);
    if (!proxyId || record.createdAt >= madeBefore) continue;
    const proxy = proxies.get(proxyId);
    const isDomain = proxy?.domains?.includes(record.hostname);
    if (!proxy || (proxy.settled && proxy.dnsRecordId !== record.id && !isDomain))
      leftoversOf(proxyId).records.push(record.hostname);
  }
  return [...found.values()];
}

/** Settled proxies whose record is not there, no longer marked as theirs, or leads to another tunnel than that of their server. */
export function findRecordsGone(
  installationId: string,
  known: readonly KnownServer[],
  records: readonly FoundRecord[],
): string[] {
  const there = new Set(
    records.flatMap((record) => {
      const end = `${proxyOfRecord(installationId, record)} ${record.content}`;
      return [`${record.id} ${end}`, `${record.hostname} ${end}`];
    }),
  );
  return known
    .flatMap(({ tunnelId, proxies }) => proxies.map((proxy) => ({ ...proxy, tunnelId: tunnelId ?? '' })))
    .filter(({ settled, dnsRecordId }) => settled && dnsRecordId !== null)
    .filter(({ proxyId, tunnelId, dnsRecordId, domains = [] }) =>
      [dnsRecordId, ...domains].some((one) => !there.has(`${one} ${proxyId} ${recordContent(tunnelId)}`)),
    )
    .map(({ proxyId }) => proxyId);
}
