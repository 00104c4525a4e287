import { randomUUID } from 'node:crypto';
import { type Actor, messageText, protectedPolicy } from '@talpa/contracts';
import { admin, hostOf, useOwners } from '@talpa/test-kit/proxy-owners';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { shortenWaits, until } from '@talpa/test-kit/wait';
import { describe, expect, it, vi } from 'vitest';

/** No other timer lasts exactly so long. */
const provisionWaitMs = 99_999;
const talpa = useServices(useStores(), ['billing', 'proxies'], {
  PROVISION_WAIT_MS: String(provisionWaitMs),
  PUBLIC_URL: 'https://panel.example.com',
});
const { outcomes, waiting, newUser, uuidOf, published, jobRequests } = useOwners(talpa);
const refused = (code: string) => ({ code });

describe('a proxy that is created', () => {
  it('is returned with its tunnel, published and recorded in the log', async () => {
    const user = await newUser();
    const customUrl = `fein-${user.userId}`;
    const { proxy, message } = await user.create({ customUrl, serverName: 'Mein Server' });
    expect(proxy).toMatchObject({
      ...{ userId: user.userId, ownerName: `max${user.userId}`, serverName: 'Mein Server', customUrl },
      ...{ serverIP: '127.0.0.1', adminPort: 40_120, proxyPort: 8081, status: 'inactive' },
      ...{ cfDomain: hostOf(customUrl), cfDnsRecordId: 'record', changePending: false, statusReason: null },
    });
    expect(message).toContain('Mein Server');
    expect(await user.get(proxy.id)).toEqual(proxy);
    expect(await user.audited('proxy.create')).toMatchObject([
      {
        target: { kind: 'proxy', id: String(proxy.id), label: 'Mein Server' },
        changes: { hostname: { to: hostOf(customUrl) }, adminPort: { to: 40_120 } },
      },
    ]);
    expect(await jobRequests(proxy.id)).toMatchObject([{ urgent: true }]);
    expect((await published(proxy.id)).at(-1)).toMatchObject({ hostname: hostOf(customUrl), version: 2 });
    expect(user.changedEvents()).toBeGreaterThan(0);
  });

  it('is created once for one key', async () => {
    const user = await newUser();
    const [key, customUrl] = [randomUUID(), `einmal-${user.userId}`];
    const { proxy } = await user.create({ customUrl }, key);
    expect((await user.create({ customUrl }, key)).proxy.id).toBe(proxy.id);
    expect(await user.may()).toMatchObject({ current: 1 });
    // Left out, it is open.
    expect((await user.create({ customUrl, access: 'open' }, key)).proxy.id).toBe(proxy.id);
    expect(await user.may()).toMatchObject({ current: 1 });
    for (const other of [{ customUrl: `anders-${user.userId}` }, { customUrl, access: 'protected' }])
      await expect(user.create(other, key)).rejects.toMatchObject(refused('idempotency_key_reused'));
  });

  it('is protected from its first moment if that was requested, and the log says so', async () => {
    const user = await newUser();
    const [open, { proxy }] = [await user.create(), await user.create({ access: 'protected' })];
    const policyOf = async (id: number) =>
      (await talpa.call('GET /api/tunnel-configs/:id/access', user.actor, { id })).policy;
    expect(await policyOf(open.proxy.id)).toEqual({ kind: 'open' });
    expect(await policyOf(proxy.id)).toEqual(protectedPolicy);
    expect(
      await talpa.sql`
        select access_policies.xmin = hostnames.xmin as "inOneTransaction"
        from proxies.access_policies join proxies.hostnames using (proxy_uuid) where proxy_uuid = ${await uuidOf(proxy.id)}`,
    ).toEqual([{ inOneTransaction: true }]);
    const [first, second] = await user.audited('proxy.create');
    expect(first?.changes).not.toHaveProperty('access');
    expect(second?.changes).toMatchObject({ access: { to: 'wall' }, methods: { to: 'member' } });
  });

  it('is gone again when the provider refuses it, and the response says why', async () => {
    const user = await newUser();
    for (const [reason, code] of [
      ['hostname_in_use', 'hostname_in_use'],
      ['zone_full', 'zone_full'],
      ['tunnel_refused', 'tunnel_refused'],
      ['provider_unavailable', 'provider_unavailable'],
    ] as const) {
      const customUrl = `nein-${user.userId}-${code.replace('_', '-').replace('_', '-')}`;
      outcomes.set(hostOf(customUrl), { kind: 'refused', reason });
      await expect(user.create({ customUrl }), reason).rejects.toMatchObject({ code });
    }
    expect(await user.may()).toMatchObject({ current: 0 });
  });

  it('does not exceed the limit that billing knows, though its snapshot is late', async () => {
    const user = await newUser(1);
    await user.create();
    await expect(user.create()).rejects.toMatchObject({ code: 'proxy_limit_reached', params: { limit: 1 } });
    expect(await user.may()).toEqual({ canCreate: false, limit: 1, current: 1 });
    await talpa.sql`
      update billing.subscriptions set proxy_limit = 2, version = 2 where user_id = ${user.userId}`;
    await user.create();
    expect(await user.may()).toEqual({ canCreate: false, limit: 2, current: 2 });
  });

  it('does not exceed the limit when many are created at once', async () => {
    const user = await newUser(2);
    const ends = await Promise.allSettled(Array.from({ length: 4 }, () => user.create()));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const end of ends)
      if (end.status === 'rejected') expect(end.reason).toMatchObject(refused('proxy_limit_reached'));
    expect(await user.may()).toEqual({ canCreate: false, limit: 2, current: 2 });
  });

  it('is reported as deleted when it is deleted during the wait for its tunnel', async () => {
    const user = await newUser();
    const customUrl = `weg-${user.userId}`;
    waiting.add(hostOf(customUrl));
    const created = expect(user.create({ customUrl })).rejects.toMatchObject(refused('not_found'));
    const id = await until('the proxy', async () => {
      const rows = await talpa.call('GET /api/tunnel-configs', user.actor, {});
      return rows[0]?.id;
    });
    await user.remove(id);
    await created;
  });

  it('gets no name that is reserved, malformed or somebody else’s', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const customUrl = `meins-${other.userId}`;
    await other.create({ customUrl });
    await expect(user.create({ customUrl })).rejects.toMatchObject({
      code: 'subdomain_taken',
      params: { subdomain: customUrl },
    });
    await expect(user.create({ customUrl: 'admin' })).rejects.toMatchObject(refused('subdomain_reserved'));
    expect(await user.may()).toMatchObject({ current: 0 });
  });
});

describe('whether a subdomain is free', () => {
  const ask = (actor: Actor, subdomain: string, proxyId?: number) =>
    talpa
      .call('GET /api/subdomain-availability', actor, { subdomain, proxyId })
      .then(({ availability }) => availability);

  it('is what a create or an edit would find', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const label = `olm-${user.userId}`;
    expect(await ask(other.actor, label)).toBe('free');
    const { proxy } = await user.create({ customUrl: label });
    const { proxy: second } = await user.create();
    expect(await ask(other.actor, label)).toBe('taken');
    expect(await ask(other.actor, ` ${label.toUpperCase()}.tunnel.localhost `)).toBe('taken');
    expect(await ask(other.actor, label.replace('olm', '0lm'))).toBe('similar');
    // Names of the same user may look alike, but one name is one proxy's.
    expect(await ask(user.actor, label.replace('olm', '0lm'))).toBe('free');
    expect(await ask(user.actor, label)).toBe('taken');
    expect(await ask(user.actor, label, second.id)).toBe('taken');
    expect(await ask(user.actor, label, proxy.id)).toBe('free');
    expect(await ask(admin, label, proxy.id)).toBe('free');
    // What it has stays its own, even if nobody may have it any more.
    await talpa.sql`update proxies.proxies set hostname = ${hostOf('www')} where id = ${second.id}`;
    expect(await ask(user.actor, 'www', second.id)).toBe('free');
    expect(await ask(user.actor, 'www')).toBe('reserved');
    expect(await ask(user.actor, 'a.b')).toBe('invalid');
    expect(await ask(user.actor, '---')).toBe('invalid');

    // Deleted, it is its owner's at once, and others' when the provider has let go of it.
    waiting.add(hostOf(label)).add('');
    await user.remove(proxy.id);
    expect(await ask(user.actor, label)).toBe('free');
    expect(await ask(other.actor, label)).toBe('taken');
    waiting.clear();
    await user.create({ customUrl: label });
    expect(await ask(other.actor, label)).toBe('taken');
  });

  it('is not revealed by creating or editing nothing', async () => {
    const [user, other] = [await newUser(1), await newUser()];
    const { proxy } = await user.create();
    await expect(ask(user.actor, 'frei')).rejects.toMatchObject(refused('proxy_limit_reached'));
    expect(await ask(user.actor, 'frei', proxy.id)).toBe('free');
    await expect(ask(other.actor, 'frei', proxy.id)).rejects.toMatchObject(refused('not_found'));
    await expect(ask(actorOf(user.userId, { suspensionReason: 'Spam' }), 'frei')).rejects.toMatchObject(
      refused('account_suspended'),
    );
    const suspended = { id: proxy.id, reason: 'Spam' };
    await talpa.call('POST /api/admin/tunnel-configs/:id/suspension', admin, suspended);
    await expect(ask(user.actor, 'frei', proxy.id)).rejects.toMatchObject(refused('proxy_suspended'));
  });
});

describe('another’s proxy', () => {
  it('does not exist, but for administrators', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const { proxy } = await user.create();
    const calls = [
      other.get(proxy.id),
      other.update(proxy.id, {}),
      other.remove(proxy.id),
      other.recreate(proxy.id),
      talpa.call('GET /api/tunnel-configs/:id/tunnel-token', other.actor, { id: proxy.id }),
      talpa.call('GET /api/tunnel-status/:id', other.actor, { id: proxy.id }),
      talpa.call('GET /api/tunnel-configs/:id/health', other.actor, { id: proxy.id }),
      talpa.call('GET /api/tunnel-configs/:id/traffic', other.actor, { id: proxy.id }),
      talpa.call('GET /api/tunnel-configs/:id/events', other.actor, { id: proxy.id }),
    ];
    for (const call of await Promise.allSettled(calls))
      expect(call).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
    expect(await user.get(proxy.id, admin)).toEqual(await user.get(proxy.id));
  });
});

describe('a proxy that is edited', () => {
  it('has the new entries, and its provider is asked where it is concerned', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    const entries = { serverName: 'Neu', serverIP: proxy.serverIP, adminPort: proxy.adminPort };
    const { customUrl } = proxy;
    expect(await user.update(proxy.id, { ...entries, customUrl })).toEqual({ ...proxy, serverName: 'Neu' });
    expect(await jobRequests(proxy.id)).toHaveLength(1);
    const moved = await user.update(proxy.id, { ...entries, customUrl, adminPort: 40_121 });
    expect(moved).toMatchObject({ adminPort: 40_121, cfTunnelId: proxy.cfTunnelId, changePending: false });
    expect(await jobRequests(proxy.id)).toHaveLength(2);
    const renamed = `um-${user.userId}`;
    expect(await user.update(proxy.id, { ...entries, customUrl: renamed })).toMatchObject({
      cfDomain: hostOf(renamed),
    });
    const rows = await user.audited('proxy.update');
    expect(rows.map(({ changes }) => changes)).toMatchObject([
      { serverName: { from: 'Server', to: 'Neu' } },
      { adminPort: { from: 40_120, to: 40_121 } },
      { hostname: { from: proxy.cfDomain, to: hostOf(renamed) } },
    ]);
    // The old name stays its owner's for some days.
    await expect((await newUser()).create({ customUrl })).rejects.toMatchObject(refused('subdomain_taken'));
    await user.create({ customUrl });
  });

  it('keeps the old entries when the provider refuses the new ones', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    const customUrl = `nein-doch-${user.userId}`;
    outcomes.set(hostOf(customUrl), { kind: 'refused', reason: 'hostname_in_use' });
    await expect(user.update(proxy.id, { customUrl })).rejects.toMatchObject({
      code: 'hostname_in_use',
      params: { hostname: hostOf(customUrl) },
    });
    await until('the old entries', async () => !(await user.get(proxy.id)).changePending);
    expect(await user.get(proxy.id)).toMatchObject({ cfDomain: proxy.cfDomain, customUrl: proxy.customUrl });
  });

  const https = {
    ...({ panel: 'crafty', originProtocol: 'https', verifyCertificate: false, http2Origin: true } as const),
    ...{ originServerName: 'panel.example.com', httpHostHeader: 'panel.example.com:8443' },
  };

  it('leads to a panel with https as it was requested, and says so in the log', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    const edited = await user.update(proxy.id, { customUrl: proxy.customUrl, ...https });
    expect(edited).toEqual({ ...proxy, ...https });
    expect(await talpa.ask('proxies.getDesired', { proxyId: await uuidOf(proxy.id) })).toMatchObject({
      want: {
        origin: 'https://127.0.0.1:40120',
        originOptions: {
          ...{ verifyCertificate: false, http2Origin: true },
          ...{ originServerName: 'panel.example.com', httpHostHeader: 'panel.example.com:8443' },
        },
      },
      settled: true,
    });
    const [row] = await user.audited('proxy.update');
    expect(row?.changes).toEqual({
      panel: { from: 'own', to: 'crafty' },
      originProtocol: { from: 'http', to: 'https' },
      verifyCertificate: { from: true, to: false },
      originServerName: { from: null, to: https.originServerName },
      httpHostHeader: { from: null, to: https.httpHostHeader },
      http2Origin: { from: false, to: true },
    });
    const { proxies } = await talpa.ask('proxies.exportUser', { userId: user.userId, after: null });
    expect(proxies).toMatchObject([https]);
  });

  it('keeps what an older page does not send, and its provider is not asked for its panel’s name', async () => {
    const user = await newUser();
    const { proxy } = await user.create(https);
    const { customUrl } = proxy;
    expect(await user.update(proxy.id, { customUrl, serverName: 'Neu' })).toMatchObject({
      ...https,
      serverName: 'Neu',
    });
    expect(await user.update(proxy.id, { customUrl, panel: 'own' })).toMatchObject({ panel: 'own' });
    expect(await jobRequests(proxy.id)).toHaveLength(1);
    expect(await user.update(proxy.id, { customUrl, httpHostHeader: null })).toMatchObject({
      httpHostHeader: null,
    });
    expect(await jobRequests(proxy.id)).toHaveLength(2);
  });

  it('has nothing of https while it speaks http, whether new or edited', async () => {
    const user = await newUser();
    const refusal = (...entries: string[]) => ({
      code: 'invalid_input',
      issues: entries.map((entry) => ({ path: [entry], key: 'httpsOnly' })),
    });
    await expect(user.create({ http2Origin: true })).rejects.toMatchObject(refusal('http2Origin'));
    const { proxy } = await user.create(https);
    await expect(
      user.update(proxy.id, { customUrl: proxy.customUrl, originProtocol: 'http' }),
    ).rejects.toMatchObject(refusal('verifyCertificate', 'originServerName', 'http2Origin'));
    expect(await user.get(proxy.id)).toEqual(proxy);
  });

  it('has its old protocol again when the provider refuses the new one, though an earlier version made it', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    await talpa.sql`
      update proxies.proxies set applied_entries = applied_entries - 'originProtocol' - 'verifyCertificate' - 'panel'
        - 'originServerName' - 'httpHostHeader' - 'http2Origin' where id = ${proxy.id}`;
    const customUrl = `nein-https-${user.userId}`;
    outcomes.set(hostOf(customUrl), { kind: 'refused', reason: 'tunnel_refused' });
    await expect(user.update(proxy.id, { customUrl, ...https })).rejects.toMatchObject(
      refused('tunnel_refused'),
    );
    await until('the old entries', async () => !(await user.get(proxy.id)).changePending);
    expect(await user.get(proxy.id)).toEqual({ ...proxy, statusReason: null });
  });

  it('is not overwritten when it was changed meanwhile', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    const { serverName, serverIP, adminPort, customUrl } = proxy;
    const expected = { serverName, serverIP, adminPort, customUrl };
    await user.update(proxy.id, { ...expected, serverName: 'Zuerst', expected });
    await expect(
      user.update(proxy.id, { ...expected, serverName: 'Danach', expected }),
    ).rejects.toMatchObject(refused('edit_conflict'));
    expect(await user.get(proxy.id)).toMatchObject({ serverName: 'Zuerst' });
    await expect(user.update(proxy.id, { ...expected, customUrl: 'admin' })).rejects.toMatchObject(
      refused('subdomain_reserved'),
    );
  });
});

describe('a proxy’s tunnel', () => {
  it('is replaced by another on request, and only when no change is under way', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    const response = await user.recreate(proxy.id);
    expect(response.status).toBe('inactive');
    expect(response.tunnelId).not.toBe(proxy.cfTunnelId);
    expect((await user.get(proxy.id)).cfTunnelId).toBe(response.tunnelId);
    expect(await user.audited('proxy.recreateTunnel')).toMatchObject([
      { target: { kind: 'proxy', id: String(proxy.id), label: 'Server' } },
    ]);
    waiting.add(proxy.cfDomain);
    await talpa.sql`update proxies.proxies set generation = generation + 1 where id = ${proxy.id}`;
    await expect(user.recreate(proxy.id)).rejects.toMatchObject(refused('proxy_pending'));
    expect(await user.get(proxy.id)).toMatchObject({ changePending: true });
  });
});

describe('a deleted proxy', () => {
  it('is gone for its owner, to whom alone its name goes once the provider has removed it', async () => {
    const user = await newUser(1);
    const { proxy } = await user.create();
    await user.remove(proxy.id);
    await expect(user.get(proxy.id)).rejects.toMatchObject(refused('not_found'));
    await expect(user.remove(proxy.id)).rejects.toMatchObject(refused('not_found'));
    expect(await user.may()).toEqual({ canCreate: true, limit: 1, current: 0 });
    expect(await user.audited('proxy.delete')).toMatchObject([
      { target: { kind: 'proxy', id: String(proxy.id), label: 'Server' } },
    ]);
    await until('the removal', async () => (await uuidOf(proxy.id)) === '');
    const other = await newUser();
    const subdomain = String(proxy.customUrl);
    const isFree = (actor: Actor) => talpa.call('GET /api/subdomain-availability', actor, { subdomain });
    expect(await isFree(other.actor)).toEqual({ availability: 'taken' });
    await expect(other.create({ customUrl: subdomain })).rejects.toMatchObject(refused('subdomain_taken'));
    expect(await isFree(user.actor)).toEqual({ availability: 'free' });
    await user.create({ customUrl: subdomain });
  });

  it('leaves its name to its owner’s next proxy, also when it gives it back at that very moment', async () => {
    const user = await newUser();
    const customUrl = `frei-${user.userId}`;
    const hostname = hostOf(customUrl);
    const { proxy } = await user.create({ customUrl });
    const uuid = await uuidOf(proxy.id);
    await talpa.sql`update proxies.proxies set removed_at = now() where uuid = ${uuid}`;
    let created: ReturnType<typeof user.create> | undefined;
    await talpa.sql.begin(async (tx) => {
      await tx`select 1 from proxies.hostnames where hostname = ${hostname} for update`;
      created = user.create({ customUrl });
      // It is refused below.
      created.catch(() => {});
      await until('the create to wait for the name', async () => {
        const [waits] = await talpa.sql`
          select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%hostnames%'
            and datname = current_database()`;
        return waits;
      });
      await tx`delete from proxies.hostnames where hostname = ${hostname}`;
      await tx`delete from proxies.proxies where uuid = ${uuid}`;
    });
    expect((await created)?.proxy).toMatchObject({ cfDomain: hostname });
  });
});

describe('a provider that is slow', () => {
  /** Nobody waits for the provider in this call; in all others there is time. */
  const briefly = <Result>(call: () => Promise<Result>): Promise<Result> => {
    shortenWaits(provisionWaitMs);
    return call().finally(vi.unstubAllGlobals);
  };
  const tokenOf = (user: Awaited<ReturnType<typeof newUser>>, id: number) =>
    talpa.call('GET /api/tunnel-configs/:id/tunnel-token', user.actor, { id });

  it('returns a new proxy as pending, which stays when it is refused later and can be corrected', async () => {
    const user = await newUser();
    const customUrl = `spaet-${user.userId}`;
    waiting.add(hostOf(customUrl));
    const { proxy, message } = await briefly(() => user.create({ customUrl }));
    const { id } = proxy;
    expect(proxy).toMatchObject({ status: 'pending', cfTunnelId: null, changePending: false });
    expect(message).toBe(messageText('proxyPending', 'de', { name: 'Server' }));
    await expect(tokenOf(user, id)).rejects.toMatchObject(refused('proxy_pending'));
    await expect(user.recreate(id)).rejects.toMatchObject(refused('proxy_pending'));
    const status = await talpa.call('GET /api/tunnel-status/:id', user.actor, { id });
    expect(status).toEqual({ tunnelId: null, status: 'not_found' });
    const outcome = { kind: 'refused', reason: 'zone_full' } as const;
    const published = { proxyId: await uuidOf(id), generation: 1, outcome };
    expect(await talpa.ask('proxies.report', published)).toEqual({ counted: true });
    expect(await user.get(id)).toMatchObject({ status: 'error', statusReason: 'zone_full' });
    await expect(tokenOf(user, id)).rejects.toMatchObject(refused('no_tunnel'));
    waiting.delete(hostOf(customUrl));
    const same = { customUrl, serverName: 'Server', serverIP: proxy.serverIP, adminPort: proxy.adminPort };
    expect(await user.update(id, same)).toMatchObject({
      ...{ status: 'inactive', statusReason: null, cfTunnelId: expect.any(String), changePending: false },
    });
    expect((await jobRequests(id)).map(({ urgent }) => urgent)).toEqual([true, true]);
  });

  it('leaves an edited proxy at its old address until the new one is there', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    const customUrl = `neu-${user.userId}`;
    waiting.add(hostOf(customUrl));
    expect(await briefly(() => user.update(proxy.id, { customUrl }))).toMatchObject({
      ...{ customUrl, status: 'inactive', changePending: true, cfDomain: proxy.cfDomain },
    });
    for (const label of [proxy.customUrl, customUrl])
      await expect((await newUser()).create({ customUrl: label })).rejects.toMatchObject(
        refused('subdomain_taken'),
      );
  });

  it('is reported when the wait for a new tunnel times out, though the tunnel comes later', async () => {
    const user = await newUser();
    const { proxy } = await user.create();
    const { cfTunnelId } = proxy;
    waiting.add(proxy.cfDomain);
    await expect(briefly(() => user.recreate(proxy.id))).rejects.toMatchObject(refused('deadline_exceeded'));
    expect(await user.get(proxy.id)).toMatchObject({ changePending: true, cfTunnelId });
  });
});
