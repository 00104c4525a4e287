import { isDeepStrictEqual } from 'node:util';
import type { AppliedProxy, DesiredProxy } from '@talpa/contracts';
import type { Provider, ProviderRecord } from '../provider/client.ts';
import { type ProxyNames, recordContent, type ServerNames } from '../provider/names.ts';

/** Why memory may not be trusted. */
export interface Doubt {
  /** An earlier run may have changed more than was reported. */
  readonly unverified: boolean;
  /** Something was seen that nobody wants, or lacks: what is settled is looked at, too. */
  readonly fullScan: boolean;
}

export interface KnownTunnel {
  readonly id: string;
  readonly incarnation: number;
}

/** The tunnels with this server's name. */
export async function surveyTunnels(provider: Provider, names: ServerNames): Promise<KnownTunnel[]> {
  const found = await provider.findTunnels(names.tunnelPrefix);
  return found.flatMap(({ id, name }) => {
    const incarnation = names.incarnationOf(name);
    return incarnation === null ? [] : [{ id, incarnation }];
  });
}

/** The DNS records that have this proxy's comment and still lead to a tunnel. */
export async function surveyRecords(provider: Provider, names: ProxyNames): Promise<ProviderRecord[]> {
  return (await provider.findRecords({ comment: names.comment })).filter(names.isOwnRecord);
}

/**
 * The records of a proxy that is to lead to a tunnel. The provider is asked only where memory is not enough: before anything there is
 * replaced or deleted. Memory holds no records of custom domains: those are looked at when they change.
 */
export async function takeStock(
  provider: Provider,
  names: ProxyNames,
  { applied, want, generation, unsure = false }: DesiredProxy,
  tunnelId: string,
  { unverified, fullScan }: Doubt,
): Promise<{ readonly records: readonly ProviderRecord[]; readonly isSurveyed: boolean }> {
  // Without memory only the very first generation finds nothing for sure.
  const isUnsure =
    unsure || unverified || fullScan || (applied ? applied.tunnelId !== tunnelId : generation > 1);
  const moves =
    applied !== null &&
    (applied.hostname !== want?.hostname || !isDeepStrictEqual(applied.domains ?? [], want.domains ?? []));
  if (isUnsure || moves) return { records: await surveyRecords(provider, names), isSurveyed: true };
  return { records: applied ? [reported(applied, names)] : [], isSurveyed: false };
}

/** The record that was last reported. */
function reported({ dnsRecordId: id, tunnelId, hostname }: AppliedProxy, names: ProxyNames): ProviderRecord {
  return { id, hostname, content: recordContent(tunnelId), comment: names.comment, type: 'CNAME' };
}
