import { isDeepStrictEqual } from 'node:util';
import type { ProxyConfig } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Talpa } from '../../launcher/system.ts';
import type { Client } from './client.ts';
import { providerOf } from './tunnels.ts';
import { until } from './wait.ts';

/** What is looked at of a panel. */
export type TalpaAtRest = Pick<Talpa, 'stores' | 'secrets' | 'providerUrl'>;

/**
 * Waits until a system that nobody uses has come to rest, and gives what is wrong with it even then. Nobody
 * else may have anything at its provider, and no connector may run.
 */
export async function faultsAtRest(
  talpa: TalpaAtRest,
  admin: Client,
  patienceMs = 60_000,
): Promise<string[]> {
  const provider = providerOf(talpa);
  let last: string[] = [];
  const look = async () => {
    const proxies = await admin.call('GET /api/admin/tunnel-configs', {});
    const unsettled = proxies.filter(
      (proxy) => proxy.status !== 'inactive' || proxy.statusReason || proxy.changePending,
    );
    return [
      ...unsettled.map((proxy) => `not settled: ${JSON.stringify(proxy)}`),
      ...(await faultsAtProvider(provider, proxies, await emptyServers(talpa))),
      ...(await faultsInStores(talpa, proxies)),
      ...(await faultsInTotals(admin, proxies)),
    ];
  };
  await until(
    'all is at rest',
    async () => {
      last = await look().catch((error) => [String(error)]);
      return last.length === 0;
    },
    patienceMs,
  ).catch(() => {});
  return last;
}

/** The tunnels of servers without proxies. */
async function emptyServers({ stores }: TalpaAtRest): Promise<string[]> {
  const sql = openDatabase(stores.adminUrl, 1);
  try {
    const rows = await sql<{ tunnelId: string }[]>`
      select coalesce(applied ->> 'tunnelId', 'none') as tunnel_id from proxies.servers
      where not exists (select 1 from proxies.proxies where server_id = servers.id)`;
    return rows.map(({ tunnelId }) => tunnelId);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Every server has exactly one tunnel, every proxy one record with the right content, and nothing else is there. */
async function faultsAtProvider(
  provider: ReturnType<typeof providerOf>,
  proxies: readonly ProxyConfig[],
  withoutProxies: readonly string[],
): Promise<string[]> {
  const sorted = (values: readonly string[]) => [...values].sort();
  const tunnels = sorted((await provider.tunnels()).map((tunnel) => tunnel.id));
  const records = sorted((await provider.records()).map(({ name, content }) => `${name} → ${content}`));
  const used = new Set(proxies.map((proxy) => proxy.cfTunnelId ?? 'none'));
  const wantedTunnels = sorted([...used, ...withoutProxies]);
  const wantedRecords = sorted(
    proxies.map((proxy) => `${proxy.cfDomain} → ${proxy.cfTunnelId}.cfargotunnel.com`),
  );
  const faults = [
    ...differences('tunnels', tunnels, wantedTunnels),
    ...differences('records', records, wantedRecords),
  ];
  if (faults.length > 0) return faults;
  for (const proxy of proxies) {
    const ingress = await provider.ingress(proxy.cfTunnelId ?? '');
    const host = proxy.serverIP.includes(':') ? `[${proxy.serverIP}]` : proxy.serverIP;
    const rule = ingress.find(({ hostname }) => !hostname || hostname === proxy.cfDomain);
    const origin = `${proxy.originProtocol}://${host}:${proxy.adminPort}`;
    const isRight = proxy.suspension
      ? rule?.service === 'http_status:403'
      : rule?.hostname === proxy.cfDomain && rule.service === (proxy.paused ? 'http_status:503' : origin);
    if (!isRight) faults.push(`proxy ${proxy.id} leads elsewhere: ${JSON.stringify(ingress)}`);
    const own = proxies.filter(({ cfTunnelId }) => cfTunnelId === proxy.cfTunnelId);
    const names = ingress.flatMap(({ hostname }) => hostname ?? []);
    const domain = proxy.cfDomain.slice(proxy.cfDomain.indexOf('.'));
    const left = names.filter(
      (name) => name.endsWith(domain) && !own.some(({ cfDomain }) => cfDomain === name),
    );
    if (left.length > 0) faults.push(`the tunnel of proxy ${proxy.id} still serves ${left.join(', ')}`);
  }
  return faults;
}

function differences(what: string, found: readonly string[], wanted: readonly string[]): string[] {
  if (isDeepStrictEqual(found, wanted)) return [];
  const rest = [...wanted];
  const surplus = found.filter((one) => {
    const index = rest.indexOf(one);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
  return [`${what}: orphaned ${JSON.stringify(surplus)}, missing ${JSON.stringify(rest)}`];
}

/** Nothing waits to be published, nobody works on anything, no name is held by nobody. */
async function faultsInStores(talpa: TalpaAtRest, proxies: readonly ProxyConfig[]): Promise<string[]> {
  const sql = openDatabase(talpa.stores.adminUrl, 1);
  try {
    const [row] = await sql<Record<string, number>[]>`
      select (select count(*) from auth.outbox) + (select count(*) from billing.outbox)
          + (select count(*) from proxies.outbox) as unpublished,
        (select count(*) from tunnel_worker.jobs
          where holder is not null or dead_letter_at is not null or proxy_id not in (select uuid from proxies.proxies)) as jobs,
        (select count(*) from proxies.servers where generation > applied_generation or (kind = 'implicit' and not exists (
          select 1 from proxies.proxies where server_id = servers.id))) as servers,
        (select count(*) from proxies.hostnames) as hostnames,
        (select count(*) from proxies.proxies) as rows`;
    const wanted = { unpublished: 0, jobs: 0, servers: 0, hostnames: proxies.length, rows: proxies.length };
    return isDeepStrictEqual({ ...row }, wanted)
      ? []
      : [`in the stores: ${JSON.stringify(row)}, not ${JSON.stringify(wanted)}`];
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function faultsInTotals(admin: Client, proxies: readonly ProxyConfig[]): Promise<string[]> {
  const shown = await admin.call('GET /api/system/stats', {});
  const users = await admin.call('GET /api/admin/users', {});
  const right = { totalProxies: proxies.length, activeProxies: 0, totalUsers: users.length };
  return isDeepStrictEqual(shown, right)
    ? []
    : [`statistics ${JSON.stringify(shown)}, not ${JSON.stringify(right)}`];
}
