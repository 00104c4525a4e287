import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { originDefaults } from '@talpa/contracts';
import { claimHome } from '@talpa/instance/home';
import type { Running } from '@talpa/instance/part';
import { homeFolders } from '@talpa/instance/paths';
import { readSecrets } from '@talpa/instance/secrets';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { Client, proxyInput } from '@talpa/test-kit/client';
import { temporaryHome } from '@talpa/test-kit/home';
import { faultsAtRest } from '@talpa/test-kit/invariants';
import { startTestTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaSetups, schemas } from '../../launcher/stores/schemas.ts';
import { startStores } from '../../launcher/stores/stores.ts';
import type { Talpa } from '../../launcher/system.ts';
import { fillPrevious, type Previous } from './data.ts';
import { changedReleases, emptyTables, setUpPrevious } from './previous.ts';

/** Filled only while an edge or a connector runs. */
const ofRunningEdges = ['tunnel_provider.connections', 'tunnel_provider.edge_epochs', 'edge.edges'];
/** Tables of the kit that this service does not use. A row of a stream would say that NATS has lost it. */
const unused =
  /^(stats|notifications|tunnel_worker|tunnel_provider|edge)\.outbox$|^(?!proxies\.).*\.idempotency_keys$|\.stream_seen$|^stats\.handled_messages$/;

const home = temporaryHome();
const scratch = mkdtempSync(join(tmpdir(), 'talpa-released-'));
let previous: Previous;
let empty: string[];
let talpa: Talpa;
let user: Client;

beforeAll(async () => {
  const folders = homeFolders(home);
  const release = await claimHome(folders, () => {});
  const secrets = readSecrets(folders.secrets);
  const running: Running<unknown>[] = [];
  const stores = await startStores(folders, secrets, { fast: true }, () => {}, running);
  try {
    await setUpPrevious(stores.adminUrl, schemaSetups(secrets), scratch);
    previous = await fillPrevious(stores.adminUrl, secrets);
    empty = await emptyTables(
      stores.adminUrl,
      schemas.map(({ schema }) => schema),
    );
  } finally {
    await Promise.all(running.map((part) => part.stop()));
    release();
  }
  talpa = await startTestTalpa(home, { SWEEP_INTERVAL_MS: '1000' });
  user = new Client(talpa.url);
  user.cookie = previous.cookie;
});
afterAll(async () => {
  await talpa?.stop();
  for (const folder of [home, scratch]) rmSync(folder, { recursive: true, force: true });
});

describe('the last release', () => {
  it('has migrations that nobody has changed since', () => {
    expect(changedReleases()).toEqual([]);
  });

  it('is imitated with something in every table it had', () => {
    expect(empty.filter((name) => !ofRunningEdges.includes(name) && !unused.test(name))).toEqual([]);
  });
});

describe('after an upgrade', () => {
  it('open sessions go on, passwords hold, preferences and plan are what they were', async () => {
    expect(await user.call('GET /api/user', {})).toMatchObject({
      username: previous.username,
      isAdmin: false,
      proxyLimit: 10,
      subscriptionTier: 'premium',
      subscriptionExpiry: previous.expiresAt.toISOString(),
    });
    const { username, password } = previous;
    await new Client(talpa.url).call('POST /api/login', { username, password });
    expect(await user.call('GET /api/user/preferences', {})).toEqual({
      email: 'alt@example.org',
      notifications: { email: true, system: true, maintenance: true },
      appearance: { theme: 'light', accentColor: 'purple' },
    });
    expect(await user.call('GET /api/user/subscription', {})).toMatchObject({
      tier: 'premium',
      proxyLimit: 10,
    });
  });

  it('proxies are served with the tunnels and tokens they had', async () => {
    const [settled] = await user.call('GET /api/tunnel-configs', {});
    expect(settled).toMatchObject({
      serverName: 'alt',
      cfTunnelId: previous.settled.tunnelId,
      status: 'inactive',
      ...originDefaults,
    });
    const { id } = settled ?? { id: 0 };
    expect(await user.call('GET /api/tunnel-configs/:id/tunnel-token', { id })).toEqual({
      token: previous.settled.token,
    });
    expect((await user.call('GET /api/tunnel-status/:id', { id })).status).toBe('inactive');
  });

  it('work that was left undone is done, what was deleted goes, and every figure is right', async () => {
    await until('the new proxy has its tunnel', async () => {
      const list = await user.call('GET /api/tunnel-configs', {});
      return list.length === 2 && list.every((proxy) => proxy.status === 'inactive');
    });
    const admin = new Client(talpa.url);
    await admin.call('POST /api/login', { username: 'chef', password: previous.password });
    expect(await faultsAtRest(talpa, admin)).toEqual([]);
    const all = await admin.call('GET /api/admin/tunnel-configs', {});
    expect(new Set(all.map(({ ownerName }) => ownerName))).toEqual(new Set([previous.username]));
    expect(await user.call('GET /api/user/subscription/can-create-proxy', {})).toEqual({
      canCreate: true,
      limit: 10,
      current: 2,
    });
  });

  it('each proxy is alone on a server of its own, whose tunnel is the one it had', async () => {
    const sql = openDatabase(talpa.stores.adminUrl, 1);
    try {
      const servers = await sql`
        select servers.uuid = proxies.uuid as is_own, servers.name, servers.kind, servers.applied ->> 'tunnelId' as tunnel_id,
          servers.generation > servers.applied_generation as lags, configurations.version
        from proxies.servers join proxies.proxies on proxies.server_id = servers.id
          join tunnel_provider.configurations on configurations.tunnel_id::text = servers.applied ->> 'tunnelId'
        order by servers.name`;
      const own = { isOwn: true, kind: 'implicit', lags: false };
      expect(servers).toEqual([
        // Nothing was changed at the provider.
        { ...own, name: 'alt', tunnelId: previous.settled.tunnelId, version: 1 },
        { ...own, name: 'neu', tunnelId: expect.any(String), version: expect.any(Number) },
      ]);
      expect(await sql`select 1 from proxies.servers offset 2`).toEqual([]);
    } finally {
      await sql.end({ timeout: 5 });
    }
  });

  it('a create that is repeated with its key gives the proxy that it has made', async () => {
    const key = { 'idempotency-key': previous.idempotencyKey };
    const repeated = await user.send('POST', '/api/tunnel-configs', proxyInput('neu'), key);
    expect(repeated).toMatchObject({ status: 201, body: { proxy: { serverName: 'neu' } } });
    expect(await user.call('GET /api/tunnel-configs', {})).toHaveLength(2);
  });

  it('history goes on, and audit rows are shown, those too that could not be read before', async () => {
    const [settled] = await user.call('GET /api/tunnel-configs', {});
    const { id } = settled ?? { id: 0 };
    await until('the provider’s newer counts', async () => {
      const { figures } = await user.call('GET /api/tunnel-configs/:id/traffic', { id });
      return figures?.last7Days.requests === 5;
    });
    const health = await until('the edge’s measurement of the panel', async () => {
      const now = await user.call('GET /api/tunnel-configs/:id/health', { id });
      return now.origin?.state === 'ok' && now;
    });
    expect(health.uptime.firstConnectedAt).not.toBeNull();
    expect(health.origin).toMatchObject({ state: 'ok', lastStatus: 200 });
    const audit = await user.call('GET /api/user/audit', {});
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.changePassword', 'user.changePreferences']),
    );
  });

  it('an outage that was known by its tunnel goes on by its proxy', async () => {
    const sql = openDatabase(talpa.stores.adminUrl, 1);
    try {
      const known = await sql`
        select is_reported, origins.unreachable_since is not null as is_measured, lost_notified_at is not null as is_notified
        from stats.tunnels join stats.origins on origins.tunnel_id = proxy_id::text
          join notifications.origins as theirs on theirs.tunnel_id = proxy_id::text`;
      expect(known).toEqual([{ isReported: true, isMeasured: true, isNotified: true }]);
    } finally {
      await sql.end({ timeout: 5 });
    }
  });

  it('people go on: a create takes a name that was deleted, an edit, a delete', async () => {
    const { proxy } = await user.call('POST /api/tunnel-configs', proxyInput('weg'));
    expect(proxy).toMatchObject({ status: 'inactive', cfDomain: 'weg.tunnel.localhost' });
    const [first] = await user.call('GET /api/tunnel-configs', {});
    const changed = { id: first?.id ?? 0, ...proxyInput('umbenannt') };
    expect(await user.call('PUT /api/tunnel-configs/:id', changed)).toMatchObject({
      cfDomain: 'umbenannt.tunnel.localhost',
      cfTunnelId: previous.settled.tunnelId,
    });
    await user.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
    expect(await user.call('GET /api/tunnel-configs', {})).toHaveLength(2);
  });
});
