import { isDeepStrictEqual } from 'node:util';
import type { Proxy as PublicProxy } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Talpa } from '../../launcher/system.ts';
import { Client } from '../kit/client.ts';
import { providerOf } from '../kit/tunnels.ts';
import { until } from '../kit/wait.ts';
import { accuse, type Journal } from './outcome.ts';
import type { Person } from './person.ts';

/** Much longer than the longest pause between two tries. */
const patienceMs = 150_000;

/** Waits until everything has come to rest, and accuses whatever is not as it was acknowledged. */
export async function judge(
  talpa: Talpa,
  admin: Client,
  people: readonly Person[],
  journal: Journal,
): Promise<void> {
  const provider = providerOf(talpa);
  await until('everybody is served again', async () =>
    (await Promise.all(people.map((person) => person.look()))).every(Boolean),
  );
  await until(
    'no call may still have effects',
    async () => {
      await Promise.all(people.map((person) => person.settleDoubts()));
      return people.every((person) => !person.inDoubt);
    },
    60_000,
  );
  const all = () => admin.call('GET /api/admin/tunnel-configs', {});
  const rest = await settledWithin(patienceMs, async () => {
    const proxies = await all();
    const unsettled = proxies.filter(
      (proxy) => proxy.status !== 'inactive' || proxy.statusReason || proxy.changePending,
    );
    return [
      ...unsettled.map((proxy) => `not settled: ${JSON.stringify(proxy)}`),
      ...(await faultsAtProvider(provider, proxies)),
      ...(await faultsInStores(talpa, proxies)),
      ...(await faultsInTotals(admin, proxies)),
    ];
  });
  for (const violation of rest) accuse(journal, violation);
  for (const person of people) await judgePerson(person, journal);
}

/** Asks until nothing is wrong any more; what is still wrong after all that time is given. */
async function settledWithin(ms: number, faults: () => Promise<string[]>): Promise<string[]> {
  let last: string[] = [];
  await until(
    'all is at rest',
    async () => {
      last = await faults().catch((error) => [String(error)]);
      return last.length === 0;
    },
    ms,
  ).catch(() => {});
  return last;
}

/** Every proxy has exactly one tunnel and one record with the right content, and nothing else is there. */
async function faultsAtProvider(
  provider: ReturnType<typeof providerOf>,
  proxies: readonly PublicProxy[],
): Promise<string[]> {
  const sorted = (values: readonly string[]) => [...values].sort();
  const tunnels = sorted((await provider.tunnels()).map((tunnel) => tunnel.id));
  const records = sorted((await provider.records()).map(({ name, content }) => `${name} → ${content}`));
  const wantedTunnels = sorted(proxies.map((proxy) => proxy.cfTunnelId ?? 'none'));
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
    const [first] = ingress;
    const origin = `http://${proxy.serverIP}:${proxy.adminPort}`;
    if (first?.hostname !== proxy.cfDomain || first.service !== origin)
      faults.push(`proxy ${proxy.id} leads elsewhere: ${JSON.stringify(ingress)}`);
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

/** Nothing waits to be told, nothing is in doubt, no name is held by nobody. */
async function faultsInStores(talpa: Talpa, proxies: readonly PublicProxy[]): Promise<string[]> {
  const sql = openDatabase(talpa.stores.adminUrl, 1);
  try {
    const [row] = await sql<Record<string, number>[]>`
      select (select count(*) from auth.outbox) + (select count(*) from billing.outbox)
          + (select count(*) from proxies.outbox) as untold,
        (select count(*) from worker.leases) as leases,
        (select count(*) from proxies.hostnames) as hostnames,
        (select count(*) from proxies.proxies) as rows`;
    const wanted = { untold: 0, leases: 0, hostnames: proxies.length, rows: proxies.length };
    return isDeepStrictEqual({ ...row }, wanted)
      ? []
      : [`in the stores: ${JSON.stringify(row)}, not ${JSON.stringify(wanted)}`];
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function faultsInTotals(admin: Client, proxies: readonly PublicProxy[]): Promise<string[]> {
  const shown = await admin.call('GET /api/system/stats', {});
  const users = await admin.call('GET /api/admin/users', {});
  const right = { totalProxies: proxies.length, activeProxies: 0, totalUsers: users.length };
  return isDeepStrictEqual(shown, right)
    ? []
    : [`statistics ${JSON.stringify(shown)}, not ${JSON.stringify(right)}`];
}

/** What one person has, sees and may do agrees with what was acknowledged to him. */
async function judgePerson(person: Person, journal: Journal): Promise<void> {
  const say = (violation: string) => accuse(journal, `${person.name}: ${violation}`);
  const { client } = person;
  const list = await client.call('GET /api/tunnel-configs', {});
  person.compare(list);
  for (const { id, tunnelId } of person.proxies) {
    const shown = list.find((proxy) => proxy.id === id);
    if (tunnelId && shown && shown.cfTunnelId !== tunnelId)
      say(`proxy ${id} has the tunnel ${shown.cfTunnelId}, not ${tunnelId}`);
  }
  const user = await client.call('GET /api/user', {});
  const subscription = await client.call('GET /api/user/subscription', {});
  const quota = await client.call('GET /api/user/subscription/can-create-proxy', {});
  if (!person.plan.possible.includes(subscription.tier))
    say(`the plan is ${subscription.tier}, not ${person.plan.possible}`);
  const limit = subscription.proxyLimit;
  if (user.proxyLimit !== limit || user.subscriptionTier !== subscription.tier)
    say('the user is shown another plan');
  if (!isDeepStrictEqual(quota, { canCreate: list.length < limit, limit, current: list.length }))
    say(`can-create says ${JSON.stringify(quota)} with ${list.length} of ${limit}`);
  for (const [cookies, alive] of [
    [person.openSessions, true],
    [person.endedSessions, false],
  ] as const)
    for (const cookie of cookies) {
      const session = new Client(client.base);
      session.cookie = cookie;
      const { status } = await session.try('GET /api/user', {});
      if ((status === 200) !== alive)
        say(`a session that was ${alive ? 'opened' : 'ended'} answers ${status}`);
    }
}
