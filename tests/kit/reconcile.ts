import { randomUUID } from 'node:crypto';
import type { AppliedProxy, DesiredTunnel, Outcome } from '@talpa/contracts';
import { expect } from 'vitest';
import { createProvider } from '../../services/tunnel-worker/provider/client.ts';
import { reconcile } from '../../services/tunnel-worker/reconcile/reconcile.ts';
import { useProvider } from './embedded-provider.ts';
import { outcomeOf, serverOf } from './lone-proxy.ts';
import { useStores } from './stores.ts';

export const installation = 'test1';
export const accountPath = '/client/v4/accounts/account1/cfd_tunnel';
export const zonePath = '/client/v4/zones/zone1/dns_records';
export const want = { incarnation: 1, hostname: 'srv.example.com', origin: 'http://127.0.0.1:40120' };

interface Tunnel {
  id: string;
  name: string;
}
interface DnsRecord {
  id: string;
  name: string;
  content: string;
  comment: string;
}

/** Runs of `reconcile` on an embedded provider of their own, and what is there then. */
export function useReconcile() {
  const embedded = useProvider(useStores());
  const tunnels = async () =>
    (await embedded.send('GET', `${accountPath}?is_deleted=false`)).body.result as Tunnel[];
  const records = async () => (await embedded.send('GET', zonePath)).body.result as DnsRecord[];
  const configuration = async (id: string) =>
    (await embedded.send('GET', `${accountPath}/${id}/configurations`)).body.result as {
      config: { ingress: { hostname?: string; service: string }[] };
    };
  const makeRecord = (name: string, comment: string, content = `${randomUUID()}.cfargotunnel.com`) =>
    embedded.send('POST', zonePath, { type: 'CNAME', name, content, comment });
  const makeTunnel = async (name: string) =>
    (await embedded.send('POST', accountPath, { name })).body.result as Tunnel;

  const connect = (tunnelId: string) => embedded.edgeSql`
    insert into tunnel_provider.connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip,
      run_at)
    values (gen_random_uuid(), ${tunnelId}, gen_random_uuid(), '2026.8.2', 'linux_amd64', 'edge', '127.0.0.1', now())`;

  function newProxy(): DesiredTunnel {
    return { proxyId: randomUUID(), generation: 1, want, applied: null, connected: false, settled: false };
  }

  /** One run as the worker does it; `unverified` as it is after a run that failed. */
  async function run(desired: DesiredTunnel, unverified = false): Promise<Outcome> {
    const provider = createProvider(embedded.settings);
    const scope = { provider, installationId: installation, suspendsSingly: true };
    return outcomeOf(await reconcile(scope, serverOf(desired), { unverified, fullScan: false }));
  }

  async function applied(desired: DesiredTunnel, unverified = false): Promise<AppliedProxy> {
    const outcome = await run(desired, unverified);
    if (outcome.kind !== 'applied') throw new Error(`it ended ${JSON.stringify(outcome)}`);
    return outcome.applied;
  }

  /** A proxy that is at the provider, and what it looks like there. */
  async function existing() {
    const proxy = newProxy();
    const seen = await applied(proxy);
    await embedded.send('DELETE', '/fault-injection/calls');
    return { ...proxy, applied: seen };
  }

  /** Exactly one tunnel, configured, and one record that leads to it. */
  async function expectWhole(proxy: DesiredTunnel, seen: AppliedProxy): Promise<void> {
    expect(await tunnels()).toMatchObject([
      { id: seen.tunnelId, name: `talpa-${installation}-${proxy.proxyId}-g${proxy.want?.incarnation}` },
    ]);
    expect(await records()).toMatchObject([
      {
        id: seen.dnsRecordId,
        name: proxy.want?.hostname,
        content: `${seen.tunnelId}.cfargotunnel.com`,
        comment: `talpa ${installation} ${proxy.proxyId}`,
        proxied: true,
      },
    ]);
    expect((await configuration(seen.tunnelId)).config.ingress).toEqual([
      { hostname: proxy.want?.hostname, service: proxy.want?.origin },
      { service: 'http_status:404' },
    ]);
  }
  return {
    embedded,
    tunnels,
    records,
    configuration,
    makeRecord,
    makeTunnel,
    connect,
    newProxy,
    run,
    applied,
    existing,
    expectWhole,
  };
}
