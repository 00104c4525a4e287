import { randomUUID } from 'node:crypto';
import { noConnector } from '@talpa/contracts';
import { useOtherServices } from '@talpa/test-kit/other-services';
import { actorOf } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { describe, expect, it } from 'vitest';
import type { ProxiesContext } from '../context.ts';
import type { ProxyRow } from '../proxy/row.ts';

import { getHealth } from './get-health.ts';
import { getTunnelStatus } from './get-status.ts';
import { getTunnelToken } from './get-token.ts';
import { getTraffic } from './get-traffic.ts';
import { listEvents } from './list-events.ts';
import { getDesired, report } from './previous-calls.ts';

const stores = useStores();
const proxies = useVerbs(stores, 'proxies');
const play = useOtherServices(stores, ['tunnel-worker', 'stats']);

async function newProxy(changes: Partial<ProxyRow> = {}) {
  const [userId, uuid, tunnelId] = [Math.floor(Math.random() * 1e9), randomUUID(), randomUUID()];
  const applied = {
    tunnelId,
    dnsRecordId: 'r',
    incarnation: 1,
    hostname: `${uuid}.example.com`,
    origin: 'x',
  };
  const { status, tunnelHealth } = { status: 'inactive', tunnelHealth: 'inactive', ...changes };
  const [row] = await proxies.sql<ProxyRow[]>`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status, applied,
      applied_generation, tunnel_health)
    values (${uuid}, ${userId}, 'Server', '127.0.0.1', 40120, ${applied.hostname}, 80, ${status},
      ${changes.applied === null ? null : proxies.sql.json(applied)}, ${changes.appliedGeneration ?? 1}, ${tunnelHealth})
    returning *`;
  if (!row) throw new Error('no proxy was made');
  const as = (actor = actorOf(userId), provider = 'embedded') =>
    ({
      ...proxies.call(actor, 'proxy.readToken'),
      settings: { TUNNEL_PROVIDER: provider },
    }) as unknown as ProxiesContext & { actor: typeof actor };
  const stored = async () => {
    const [found] = await proxies.sql<ProxyRow[]>`select * from proxies where uuid = ${uuid}`;
    return found;
  };
  return { id: row.id, serverId: row.serverId, uuid, userId, tunnelId, as, stored };
}
const suspended = (uuid: string) =>
  proxies.sql`update proxies set suspended_at = now(), suspension_reason = 'Spam' where uuid = ${uuid}`;

describe('what the worker is to bring about', () => {
  const desired = async (uuid: string) =>
    getDesired(proxies.call(null) as unknown as ProxiesContext & { actor: null }, { proxyId: uuid });

  it('is the proxy as it is wanted, beside the tunnel that was reached', async () => {
    const proxy = await newProxy();
    const stored = await proxy.stored();
    const want = { incarnation: 1, hostname: `${proxy.uuid}.example.com`, origin: 'http://127.0.0.1:40120' };
    const known = { proxyId: proxy.uuid, generation: 1, applied: stored?.applied };
    expect(await desired(proxy.uuid)).toEqual({
      ...known,
      ...{ want: { ...want, suspended: false }, connected: false, settled: true },
    });
    await suspended(proxy.uuid);
    await proxies.sql`
      update proxies set generation = 2, tunnel_health = 'degraded' where uuid = ${proxy.uuid}`;
    expect(await desired(proxy.uuid)).toEqual({
      ...{ ...known, generation: 2 },
      ...{ want: { ...want, suspended: true }, connected: true, settled: false },
    });
  });

  it('is nothing for a deleted proxy, and unknown for one that nobody has', async () => {
    const proxy = await newProxy();
    await proxies.sql`update proxies set removed_at = now() where uuid = ${proxy.uuid}`;
    expect(await desired(proxy.uuid)).toMatchObject({
      ...{ want: null, applied: { tunnelId: proxy.tunnelId } },
    });
    expect(await desired(randomUUID())).toBeNull();
  });
});

describe('a worker of the previous version', () => {
  it('is told nothing of proxies that share a server: it would remove what it does not know', async () => {
    const proxy = await newProxy();
    const joined = randomUUID();
    await proxies.sql`
      insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status, server_id, server_uuid)
      select ${joined}, user_id, 'Zweiter', '127.0.0.1', 40121, ${`${joined}.example.com`}, 80, 'pending', id, uuid
      from servers where uuid = ${proxy.uuid}`;
    const worker = () => proxies.call(null) as unknown as ProxiesContext & { actor: null };
    for (const proxyId of [proxy.uuid, joined]) {
      await expect(getDesired(worker(), { proxyId })).rejects.toMatchObject({ code: 'internal' });
      const outcome = { kind: 'refused', reason: 'tunnel_gone' } as const;
      expect(await report(worker(), { proxyId, generation: 1, outcome })).toEqual({ counted: false });
    }
  });
});

describe('a tunnel’s token', () => {
  it('is asked for of the proxy’s own tunnel, and kept by nobody', async () => {
    const proxy = await newProxy();
    const asked = await play('tunnel-worker.getTunnelToken', { token: 'secret' });
    expect(await getTunnelToken(proxy.as(), { id: proxy.id })).toEqual({ token: 'secret' });
    expect(asked).toEqual([{ tunnelId: proxy.tunnelId }]);
    expect(JSON.stringify(await proxy.stored())).not.toContain('secret');
  });

  it('is given to administrators of a suspended proxy, and to its owner no more', async () => {
    const proxy = await newProxy();
    await suspended(proxy.uuid);
    await expect(getTunnelToken(proxy.as(), { id: proxy.id })).rejects.toMatchObject({
      code: 'proxy_suspended',
    });
    await play('tunnel-worker.getTunnelToken', { token: 'secret' });
    const admin = actorOf(1, { isAdmin: true });
    expect(await getTunnelToken(proxy.as(admin), { id: proxy.id })).toEqual({ token: 'secret' });
  });

  it('of a proxy without a tunnel is to come, or does not exist when nothing is under way', async () => {
    const ask = async (changes: Partial<ProxyRow>) => {
      const proxy = await newProxy({ applied: null, ...changes });
      return getTunnelToken(proxy.as(), { id: proxy.id });
    };
    for (const [changes, code] of [
      [{ status: 'pending', appliedGeneration: 0 }, 'proxy_pending'],
      [{ status: 'error', appliedGeneration: 0 }, 'no_tunnel'],
      [{ status: 'error' }, 'no_tunnel'],
      [{}, 'no_tunnel'],
    ] as const)
      await expect(ask(changes)).rejects.toMatchObject({ code });
  });
});

describe('a tunnel’s status', () => {
  it('is the provider’s word, and what the list shows from then on', async () => {
    const proxy = await newProxy();
    const asked = await play('tunnel-worker.getTunnelStatus', {
      tunnelId: proxy.tunnelId,
      status: 'healthy',
    });
    expect(await getTunnelStatus(proxy.as(), { id: proxy.id })).toEqual({
      ...{ tunnelId: proxy.tunnelId, status: 'healthy' },
    });
    expect(asked).toEqual([{ tunnelId: proxy.tunnelId }]);
    expect(await proxy.stored()).toMatchObject({ tunnelHealth: 'healthy', status: 'active', version: 2 });
    expect(await proxies.published('proxy', proxy.uuid)).toMatchObject([
      { tunnelHealth: 'healthy', version: 2 },
    ]);
    // An unchanged status emits no event.
    await play('tunnel-worker.getTunnelStatus', { tunnelId: proxy.tunnelId, status: 'healthy' });
    await getTunnelStatus(proxy.as(), { id: proxy.id });
    expect(await proxy.stored()).toMatchObject({ version: 2 });
  });

  it('of a tunnel that was replaced meanwhile is not its successor’s', async () => {
    const proxy = await newProxy();
    const replaced = async () => {
      await proxies.sql`
        update proxies set applied = jsonb_set(applied, '{tunnelId}', '"another"') where uuid = ${proxy.uuid}`;
      return { tunnelId: proxy.tunnelId, status: 'healthy' };
    };
    await play('tunnel-worker.getTunnelStatus', replaced);
    expect(await getTunnelStatus(proxy.as(), { id: proxy.id })).toMatchObject({ status: 'healthy' });
    expect(await proxy.stored()).toMatchObject({ version: 1, tunnelHealth: 'inactive' });
  });

  it('that it is gone gets a response, but only the reconciler’s report counts', async () => {
    const proxy = await newProxy();
    const gone = { tunnelId: null, status: 'not_found' };
    await play('tunnel-worker.getTunnelStatus', gone);
    expect(await getTunnelStatus(proxy.as(), { id: proxy.id })).toEqual(gone);
    expect(await proxy.stored()).toMatchObject({ version: 1, applied: { tunnelId: proxy.tunnelId } });
  });

  it('of a proxy without a tunnel is asked of nobody', async () => {
    const proxy = await newProxy({ applied: null });
    expect(await getTunnelStatus(proxy.as(), { id: proxy.id })).toEqual({
      ...{ tunnelId: null, status: 'not_found' },
    });
  });
});

describe('a proxy’s health', () => {
  const origin = { state: 'answers' };
  const uptime = { last24h: {} };
  const signal = { ...noConnector, connections: 4 };

  it('is the connector’s by the provider, and the panel’s and the uptime by the statistics', async () => {
    const proxy = await newProxy();
    const ofWorker = await play('tunnel-worker.getConnectors', signal);
    const ofStats = await play('stats.readHealth', { origin, uptime });
    expect(await getHealth(proxy.as(), { id: proxy.id })).toEqual({ connector: signal, origin, uptime });
    expect([ofWorker, ofStats]).toEqual([[{ tunnelId: proxy.tunnelId }], [{ proxyId: proxy.uuid }]]);
  });

  it('without a tunnel has no connector; of Cloudflare nothing is said about the panel', async () => {
    const proxy = await newProxy({ applied: null });
    await play('stats.readHealth', { origin, uptime });
    expect(await getHealth(proxy.as(actorOf(proxy.userId), 'cloudflare'), { id: proxy.id })).toEqual({
      ...{ connector: noConnector, origin: null, uptime },
    });
  });

  it('shows its history all the same when the provider cannot be asked', async () => {
    const proxy = await newProxy();
    await play('tunnel-worker.getConnectors', {}, 'provider_unavailable');
    await play('stats.readHealth', { origin, uptime });
    expect(await getHealth(proxy.as(), { id: proxy.id })).toEqual({ connector: null, origin, uptime });
  });

  it('does not hide a reply that cannot be read as a provider that cannot be asked', async () => {
    const proxy = await newProxy();
    await play('tunnel-worker.getConnectors', async () => undefined as never);
    await play('stats.readHealth', { origin, uptime });
    await expect(getHealth(proxy.as(), { id: proxy.id })).rejects.toThrow(SyntaxError);
  });
});

describe('what is kept of a proxy', () => {
  it('is requested under its own name: traffic, which Cloudflare does not return, and events', async () => {
    const proxy = await newProxy();
    const figures = { today: {} };
    const traffic = await play('stats.readTraffic', figures);
    expect(await getTraffic(proxy.as(actorOf(proxy.userId), 'cloudflare'), { id: proxy.id })).toEqual({
      figures: null,
    });
    expect(traffic).toEqual([]);
    expect(await getTraffic(proxy.as(), { id: proxy.id })).toEqual({ figures });
    expect(traffic).toEqual([{ proxyId: proxy.uuid }]);
    const event = { kind: 'connector', at: new Date().toISOString(), connected: true };
    const events = await play('stats.readEvents', [event]);
    expect(await listEvents(proxy.as(actorOf(1, { isAdmin: true })), { id: proxy.id, limit: 7 })).toEqual([
      event,
    ]);
    expect(events).toEqual([
      { proxyId: proxy.uuid, id: proxy.id, serverId: proxy.serverId, userId: proxy.userId, limit: 7 },
    ]);
  });
});
