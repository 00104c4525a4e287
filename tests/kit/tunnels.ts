import type { Talpa } from '../../launcher/system.ts';
import { operate } from './operator.ts';

interface Tunnel {
  readonly id: string;
  readonly name: string;
}
interface DnsRecord {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly comment: string | null;
}
/** A fault of the embedded provider's fault injection. */
interface Fault {
  readonly match: { readonly operation?: string };
  readonly fault: 'delay' | '429' | '500' | 'drop' | 'lose_response' | 'refuse';
  readonly ms?: number;
  readonly probability?: number;
  readonly retryAfter?: number;
  readonly times?: number;
  readonly status?: number;
  readonly code?: number;
}

/** Deletes a proxy's tunnel at the provider, and has the resync miss it as often as it takes to be believed. */
export async function loseTunnel(talpa: Talpa, tunnelId: string | null): Promise<void> {
  await providerOf(talpa).deleteTunnel(tunnelId ?? '');
  for (let pass = 0; pass < 2; pass += 1) {
    const { code, output } = await operate(talpa.home, ['resync']);
    if (code !== 0) throw new Error(output);
  }
}

/** Looks at and disturbs the embedded provider of a running test system. */
export function providerOf(talpa: Pick<Talpa, 'secrets' | 'providerUrl'>) {
  const account = talpa.secrets.installationId;
  const base = new URL(talpa.providerUrl ?? '');
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(new URL(path, base), {
      method,
      headers: {
        authorization: `Bearer ${talpa.secrets.providerToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { result } = (await response.json()) as { result: T };
    return result;
  };
  return {
    /** All living tunnels. */
    tunnels: () =>
      send<Tunnel[]>('GET', `/client/v4/accounts/${account}/cfd_tunnel?is_deleted=false&per_page=1000`),
    /** What a tunnel does with requests. */
    ingress: async (id: string) => {
      const { config } = await send<{ config: { ingress: { hostname?: string; service: string }[] } }>(
        'GET',
        `/client/v4/accounts/${account}/cfd_tunnel/${id}/configurations`,
      );
      return config.ingress;
    },
    configure: (id: string, ingress: readonly object[]) =>
      send('PUT', `/client/v4/accounts/${account}/cfd_tunnel/${id}/configurations`, { config: { ingress } }),
    /** Leads a record to another tunnel, whose proxy's it stays. */
    lead: (recordId: string, tunnelId: string) =>
      send('PATCH', `/client/v4/zones/${account}/dns_records/${recordId}`, {
        content: `${tunnelId}.cfargotunnel.com`,
      }),
    records: () => send<DnsRecord[]>('GET', `/client/v4/zones/${account}/dns_records?per_page=1000`),
    createRecord: (name: string) =>
      send<DnsRecord>('POST', `/client/v4/zones/${account}/dns_records`, {
        type: 'CNAME',
        name,
        content: 'elsewhere.example.net',
        proxied: true,
        ttl: 1,
        comment: 'somebody else’s',
      }),
    createTunnel: (name: string) =>
      send<Tunnel>('POST', `/client/v4/accounts/${account}/cfd_tunnel`, { name, config_src: 'cloudflare' }),
    deleteTunnel: (id: string) =>
      send('DELETE', `/client/v4/accounts/${account}/cfd_tunnel/${id}?cascade=true`),
    fault: (fault: Fault) => send('POST', '/fault-injection/faults', fault),
    clearFaults: () => send('DELETE', '/fault-injection/faults'),
    calls: () => send<Record<string, number>>('GET', '/fault-injection/calls'),
    clearCalls: () => send('DELETE', '/fault-injection/calls'),
  };
}
