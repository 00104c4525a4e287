import type { DesiredTunnel } from '@talpa/contracts';
import type { Provider, ProviderRecord } from '../provider/client.ts';
import { type ProxyNames, recordContent } from '../provider/names.ts';

export interface KnownTunnel {
  readonly id: string;
  readonly incarnation: number;
}

/** What there is of a proxy at the provider, as far as we know. */
export interface Inventory {
  readonly tunnels: readonly KnownTunnel[];
  readonly records: readonly ProviderRecord[];
}

/** What was last reported, without asking the provider. */
export function reported({ applied }: DesiredTunnel, names: ProxyNames): Inventory {
  if (!applied) return { tunnels: [], records: [] };
  const { tunnelId, incarnation, dnsRecordId, hostname } = applied;
  const content = recordContent(tunnelId);
  return {
    tunnels: [{ id: tunnelId, incarnation }],
    records: [{ id: dnsRecordId, hostname, content, comment: names.comment, type: 'CNAME' }],
  };
}

/** The tunnels with this proxy's name. */
export async function surveyTunnels(provider: Provider, names: ProxyNames): Promise<KnownTunnel[]> {
  const found = await provider.findTunnels(names.tunnelPrefix);
  return found.flatMap(({ id, name }) => {
    const incarnation = names.incarnationOf(name);
    return incarnation === null ? [] : [{ id, incarnation }];
  });
}

/** The DNS records with this proxy's comment and still lead to a tunnel. */
export async function surveyRecords(provider: Provider, names: ProxyNames): Promise<ProviderRecord[]> {
  return (await provider.findRecords({ comment: names.comment })).filter(names.isOwnRecord);
}
