import type { InternalCalls, ResyncReport, TunnelHealth } from '@talpa/contracts';
import type { z } from 'zod';
import type { FoundRecord, ProviderTunnel } from '../provider/client.ts';
import { proxyOfRecord, proxyOfTunnel } from '../provider/names.ts';

/** What proxies believes to be at the provider for one proxy. */
export type KnownProxy = z.output<InternalCalls['proxies.listTunnels']['response']>['tunnels'][number];
/** What was seen of a proxy's tunnel. */
export interface Seen {
  readonly proxyId: string;
  readonly tunnelId: string;
  readonly health: TunnelHealth | 'missing';
}

/** Tunnels whose health is another than known, and those that are not listed. */
export function compareHealth(known: readonly KnownProxy[], tunnels: readonly ProviderTunnel[]) {
  const byId = new Map(tunnels.map((tunnel) => [tunnel.id, tunnel]));
  const changed: Seen[] = [];
  const unlisted: { proxyId: string; tunnelId: string }[] = [];
  for (const { proxyId, tunnelId, health, settled } of known) {
    if (tunnelId === null) continue;
    const tunnel = byId.get(tunnelId);
    if (tunnel?.status && tunnel.status !== health)
      changed.push({ proxyId, tunnelId, health: tunnel.status });
    if (!tunnel && settled) unlisted.push({ proxyId, tunnelId });
  }
  return { changed, unlisted };
}

type Leftovers = ResyncReport['leftovers'][number];

/**
 * Tunnels and records of this installation that no proxy wants, by the proxy whose name they have. Those
 * made after `madeBefore`, and those of proxies that are being worked on, are left alone.
 */
export function findLeftovers(
  installationId: string,
  known: ReadonlyMap<string, KnownProxy>,
  tunnels: readonly ProviderTunnel[],
  records: readonly FoundRecord[],
  madeBefore: Date,
): Leftovers[] {
  const found = new Map<string, Leftovers>();
  const leftoversOf = (proxyId: string) => {
    const one = found.get(proxyId) ?? { proxyId, tunnels: [], records: [] };
    found.set(proxyId, one);
    return one;
  };
  const isLeft = (proxyId: string, madeAt: Date, id: string, wanted: 'tunnelId' | 'dnsRecordId') => {
    const proxy = known.get(proxyId);
    return madeAt < madeBefore && (!proxy || (proxy.settled && proxy[wanted] !== id));
  };
  for (const { id, name, createdAt } of tunnels) {
    const proxyId = proxyOfTunnel(installationId, name);
    if (proxyId && isLeft(proxyId, createdAt, id, 'tunnelId')) leftoversOf(proxyId).tunnels.push(name);
  }
  for (const record of records) {
    const proxyId = proxyOfRecord(installationId, record);
    if (proxyId && known.get(proxyId)?.domains?.includes(record.hostname)) continue;
    if (proxyId && isLeft(proxyId, record.createdAt, record.id, 'dnsRecordId'))
      leftoversOf(proxyId).records.push(record.hostname);
  }
  return [...found.values()];
}

/** Settled proxies whose record is not there, or no longer marked as theirs. */
export function findRecordsGone(
  installationId: string,
  known: readonly KnownProxy[],
  records: readonly FoundRecord[],
): string[] {
  const marked = records.map((record) => ({ ...record, proxyId: proxyOfRecord(installationId, record) }));
  const there = new Set(
    marked.flatMap(({ id, hostname, proxyId }) => [`${id} ${proxyId}`, `${hostname} ${proxyId}`]),
  );
  return known
    .filter(({ settled, dnsRecordId }) => settled && dnsRecordId !== null)
    .filter(({ proxyId, dnsRecordId, domains = [] }) =>
      [dnsRecordId, ...domains].some((one) => !there.has(`${one} ${proxyId}`)),
    )
    .map(({ proxyId }) => proxyId);
}
