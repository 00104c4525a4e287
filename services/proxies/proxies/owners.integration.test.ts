import { randomUUID } from 'node:crypto';
import { eventSubject } from '@talpa/service-kit/bus/subjects';
import { admin, useOwners } from '@talpa/test-kit/proxy-owners';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';

const talpa = useServices(useStores(), ['billing', 'proxies', 'auth'], { PROVISION_WAIT_MS: '10000' });
const { newUser, uuidOf, published, waiting } = useOwners(talpa);
const refused = (code: string) => ({ code });

describe('a suspended proxy', () => {
  const suspend = (id: number, reason: string) =>
    talpa.call('POST /api/admin/tunnel-configs/:id/suspension', admin, { id, reason });
  const lift = (id: number) => talpa.call('DELETE /api/admin/tunnel-configs/:id/suspension', admin, { id });

  it('is cut off, may be looked at and deleted, and works again when that is lifted', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    const { suspension } = await suspend(proxy.id, 'Spam');
    expect(suspension).toMatchObject({ of: 'proxy', reason: 'Spam' });
    const desired = async () =>
      (await talpa.ask('proxies.getDesired', { proxyId: await uuidOf(proxy.id) }))?.want?.suspended;
    expect(await desired()).toBe(true);
    expect((await suspend(proxy.id, 'Betrug')).suspension).toEqual({ ...suspension, reason: 'Betrug' });
    await suspend(proxy.id, 'Betrug');
    for (const call of await Promise.allSettled([
      user.update(proxy.id, {}),
      user.recreate(proxy.id),
      talpa.call('GET /api/tunnel-configs/:id/tunnel-token', user.actor, { id: proxy.id }),
    ]))
      expect(call).toMatchObject({ reason: { code: 'proxy_suspended', params: { reason: 'Betrug' } } });
    expect(await user.get(proxy.id)).toMatchObject({ suspension: { reason: 'Betrug' } });
    await lift(proxy.id);
    expect(await desired()).toBe(false);
    expect((await user.get(proxy.id)).suspension).toBeNull();
    const rows = await until('both reasons', async () => {
      const all = await user.audited('proxy.suspend');
      return all.length > 1 && all;
    });
    expect(rows.map(({ changes }) => changes)).toEqual([
      { reason: { from: null, to: 'Spam' } },
      { reason: { from: 'Spam', to: 'Betrug' } },
    ]);
    expect(await user.audited('proxy.liftSuspension')).toMatchObject([
      { changes: { reason: { from: 'Betrug', to: null } } },
    ]);
  });
});

describe('a user’s account', () => {
  it('that is suspended cuts all their proxies off and creates none', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    const since = new Date().toISOString();
    await user.account({ version: 2, suspension: { since, reason: 'Spam' } });
    expect((await user.get(proxy.id)).suspension).toEqual({ of: 'user', since, reason: 'Spam' });
    await expect(user.create()).rejects.toMatchObject({
      code: 'account_suspended',
      params: { reason: 'Spam' },
    });
    await expect(user.update(proxy.id, {})).rejects.toMatchObject(refused('account_suspended'));
    await user.account({ version: 1 });
    expect((await user.get(proxy.id)).suspension).not.toBeNull();
    await user.account({ version: 3 });
    expect((await user.get(proxy.id)).suspension).toBeNull();
  });

  it('creates nothing while it lacks an email address that is needed', async () => {
    const user = await newUser();
    const actor = { ...user.actor, lacksEmail: true } as const;
    await expect(talpa.call('POST /api/tunnel-configs', actor, user.entries())).rejects.toMatchObject(
      refused('email_unverified'),
    );
    await user.create();
  });

  it('that is renamed is shown with its proxies under the new name', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    await user.account({ version: 2, username: 'moritz' });
    expect(await user.get(proxy.id)).toMatchObject({ ownerName: 'moritz' });
  });

  it('that changes invalidates what was cached for it, though it has no proxy; so does its plan', async () => {
    const { userId, account, changedEvents } = await newUser();
    for (const change of [
      () => account({ version: 2, username: 'leer' }),
      () =>
        talpa.publishStored(eventSubject('subscription', String(userId)), {
          ...{ id: userId, tier: 'basic', proxyLimit: 3, expiresAt: null },
          ...{ commandVersion: 0, version: 2, deleted: false },
        }),
    ]) {
      const before = changedEvents();
      await change();
      await until('the event', () => changedEvents() > before);
    }
  });

  it('keeps its keys for repeated calls until it is deleted', async () => {
    const user = await newUser();
    const [key, entries] = [randomUUID(), { customUrl: `schluessel-${user.userId}` }];
    const { proxy } = await user.create(entries, key);
    await user.account({ version: 2, username: 'moritz' });
    expect((await user.create(entries, key)).proxy.id).toBe(proxy.id);
    const keys = () => talpa.sql`select 1 from proxies.idempotency_keys where user_id = ${user.userId}`;
    expect(await keys()).toHaveLength(1);
    await user.account({ version: 3, deleted: true, username: '' });
    expect(await keys()).toEqual([]);
  });

  it('that is deleted takes its proxies with it and has none any more', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    await user.account({ version: 2, deleted: true, username: '' });
    await expect(user.get(proxy.id)).rejects.toMatchObject(refused('not_found'));
    await expect(user.create()).rejects.toMatchObject(refused('not_signed_in'));
    expect(await user.audited('proxy.delete')).toMatchObject([{ actor: null }]);
    expect(await user.may()).toEqual({ canCreate: false, limit: 0, current: 0 });
  });
});

describe('lists of proxies', () => {
  it('hold the caller’s own, an administrator’s those of all, by status, owner and name', async () => {
    const user = await newUser();
    const [a, b] = [await user.create({ serverName: 'Ahorn' }), await user.create({ serverName: 'Birke' })];
    await talpa.sql`update proxies.proxies set status = 'error' where id = ${b.proxy.id}`;
    const own = async (input: object) =>
      (await talpa.call('GET /api/tunnel-configs', user.actor, input)).map(({ id }) => id);
    const all = async (input: object) =>
      (await talpa.call('GET /api/admin/tunnel-configs', admin, input)).map(({ id }) => id);
    const { userId } = user;
    expect(await own({})).toEqual([a.proxy.id, b.proxy.id]);
    expect(await own({ status: 'error' })).toEqual([b.proxy.id]);
    expect(await own({ q: 'ahorn' })).toEqual([a.proxy.id]);
    expect(await own({ q: `max${userId}` })).not.toEqual(await all({ q: `max${userId}`, userId }));
    expect(await all({ userId })).toEqual([a.proxy.id, b.proxy.id]);
    expect((await all({})).length).toBeGreaterThan(2);
    const { next } = await talpa.effects('GET /api/tunnel-configs', user.actor, { limit: 1 } as never);
    expect(await own({ limit: 1, cursor: next })).toEqual([b.proxy.id]);

    // By name from the end, page by page; a letter alone is looked for where a name begins.
    const last = { limit: 1, sort: '-serverName' } as const;
    expect(await own(last)).toEqual([b.proxy.id]);
    const beyond = await talpa.effects('GET /api/tunnel-configs', user.actor, last as never);
    expect(await own({ ...last, cursor: beyond.next })).toEqual([a.proxy.id]);
    expect(await own({ q: 'a' })).toEqual([a.proxy.id]);
    const ofAll = await talpa.effects('GET /api/admin/tunnel-configs', admin, { userId } as never);
    expect([beyond.total, ofAll.total]).toEqual(['2', '2']);
    await user.remove(a.proxy.id);
    expect([await own({}), await all({ userId })]).toEqual([[b.proxy.id], [b.proxy.id]]);
  });
});

describe('other services', () => {
  it('get all proxies published once more, page by page, and the names of their owners', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    const proxyId = await uuidOf(proxy.id);
    const before = (await published(proxy.id)).length;
    const [row] = await talpa.sql`select count(*)::integer as count from proxies.proxies`;
    expect(await talpa.ask('proxies.republish', {})).toEqual({ count: row?.count });
    await until('the snapshots', async () => (await published(proxy.id)).length > before);
    const page = await talpa.ask('proxies.readProxies', { after: proxy.id - 1 });
    expect(page).toEqual({ snapshots: [(await published(proxy.id)).at(-1)], next: null });
    expect(await talpa.ask('proxies.nameProxies', { proxyIds: [proxyId, randomUUID()] })).toEqual([
      {
        ...{ proxyId, id: proxy.id, serverName: 'Server', hostname: proxy.cfDomain },
        ...{ ownerName: `max${user.userId}`, deleted: false },
      },
    ]);
    const { tunnels, next } = await talpa.ask('proxies.listTunnels', {
      after: '00000000-0000-0000-0000-000000000000',
    });
    expect(next).toBeNull();
    expect(tunnels).toContainEqual({
      ...{ proxyId, tunnelId: proxy.cfTunnelId, dnsRecordId: 'record' },
      ...{ health: 'inactive', settled: true },
    });
    waiting.add('');
    await user.remove(proxy.id);
    expect(await talpa.ask('proxies.nameProxies', { proxyIds: [proxyId] })).toMatchObject([
      { deleted: true },
    ]);
    waiting.clear();
  });

  it('get one proxy published once more, and read a long list in pages', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    const before = (await published(proxy.id)).length;
    const again = (id: string) => talpa.ask('proxies.republishRow', { id });
    expect(await again(await uuidOf(proxy.id))).toEqual({ published: true });
    await until('the snapshots', async () => (await published(proxy.id)).length > before);
    expect(await again(randomUUID())).toEqual({ published: false });
    await talpa.sql`
      insert into proxies.proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port,
        status, applied_generation)
      select gen_random_uuid(), ${user.userId}, 'n', '127.0.0.1', 40120, 'h' || number || '.example.com', 8081,
        'inactive', 1 from generate_series(1, 500) number`;
    const page = (after: number) => talpa.ask('proxies.readProxies', { after });
    const { snapshots, next } = await page(proxy.id - 1);
    expect(snapshots).toHaveLength(500);
    expect(next).toBe(snapshots.at(-1)?.proxyId);
    expect(await page(next ?? 0)).toMatchObject({ snapshots: [{ serverName: 'n' }], next: null });
    // The export ends with its last proxy, not with an empty part.
    let exported = 0;
    for (let after: number | null = 0; after !== null; ) {
      const part = await talpa.ask('proxies.exportUser', { userId: user.userId, after });
      expect(part.proxies).not.toEqual([]);
      exported += part.proxies.length;
      after = part.next as number | null;
    }
    expect(exported).toBe(501);
  });
});
