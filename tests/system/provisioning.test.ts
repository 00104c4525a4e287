import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { operate } from '@talpa/test-kit/operator';
import { useTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import { afterEach, describe, expect, it } from 'vitest';

const system = useTalpa({ PROVISION_WAIT_MS: '4000', SWEEP_INTERVAL_MS: '1000' });
const provider = () => providerOf(system.talpa);

afterEach(() => provider().clearFaults());

async function onlyProxy(client: Client) {
  const [proxy] = await client.call('GET /api/tunnel-configs', {});
  if (!proxy) throw new Error('there is no proxy');
  return proxy;
}

/** Waits until a user's only proxy is settled, and gives it. */
const settled = (client: Client) =>
  until('the proxy is settled', async () => {
    const proxy = await onlyProxy(client);
    return proxy.status !== 'pending' && !proxy.changePending && proxy;
  });

/** The living tunnels of a user's only proxy, by the name they all begin with. */
async function expectOneTunnel(client: Client, tunnelsBefore: readonly { id: string }[]) {
  const proxy = await onlyProxy(client);
  const known = new Set(tunnelsBefore.map((tunnel) => tunnel.id));
  const made = (await provider().tunnels()).filter((tunnel) => !known.has(tunnel.id));
  expect(made.map((tunnel) => tunnel.id)).toEqual([proxy.cfTunnelId]);
  const records = (await provider().records()).filter((record) => record.name === proxy.cfDomain);
  expect(records.map((record) => record.content)).toEqual([`${proxy.cfTunnelId}.cfargotunnel.com`]);
}

describe('a create', () => {
  it('makes one tunnel and one record with three calls, and returns when they are there', async () => {
    const { client } = await newUser(system.url, 'free');
    const before = await provider().tunnels();
    await provider().clearCalls();
    const { proxy, message } = await client.call('POST /api/tunnel-configs', proxyInput('Mein Größter'));
    expect(await provider().calls()).toEqual({ createTunnel: 1, putConfiguration: 1, createRecord: 1 });
    expect(proxy).toMatchObject({ status: 'inactive', cfDomain: 'mein-groesster.tunnel.localhost' });
    expect(message).toContain('Mein Größter');
    await expectOneTunnel(client, before);
    expect(await client.call('GET /api/tunnel-status/:id', { id: proxy.id })).toEqual({
      tunnelId: proxy.cfTunnelId,
      status: 'inactive',
    });
  });

  it('with a slow provider returns as pending and ends with one tunnel', async () => {
    const { client } = await newUser(system.url, 'free');
    const before = await provider().tunnels();
    await provider().fault({ match: { operation: 'createTunnel' }, fault: 'delay', ms: 5_000, times: 1 });
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    expect(proxy).toMatchObject({ status: 'pending', cfTunnelId: null });
    expect(await settled(client)).toMatchObject({ status: 'inactive', statusReason: null });
    await expectOneTunnel(client, before);
  });

  it.each(['createTunnel', 'putConfiguration', 'createRecord'])(
    'whose provider loses the answer of %s ends with one tunnel and one record',
    async (operation) => {
      const { client } = await newUser(system.url, 'free');
      const before = await provider().tunnels();
      await provider().fault({ match: { operation }, fault: 'lose_response', times: 1 });
      await client.call('POST /api/tunnel-configs', proxyInput());
      expect(await settled(client)).toMatchObject({ status: 'inactive', statusReason: null });
      await expectOneTunnel(client, before);
    },
  );

  it('that the provider refuses returns a clear error and leaves nothing', async () => {
    const { client } = await newUser(system.url, 'free');
    const before = await provider().tunnels();
    await provider().fault({
      match: { operation: 'createTunnel' },
      fault: 'refuse',
      status: 400,
      code: 1034,
    });
    const { status, error } = await client.fail('POST /api/tunnel-configs', proxyInput());
    expect([status, error.code]).toEqual([502, 'tunnel_refused']);
    expect(error.message).toBe(
      'Der Tunnel-Anbieter hat den Tunnel abgelehnt. Ihr Proxy wurde weder angelegt noch geändert.',
    );
    expect(await client.call('GET /api/tunnel-configs', {})).toEqual([]);
    expect(await client.call('GET /api/user/subscription/can-create-proxy', {})).toMatchObject({
      current: 0,
    });
    expect(await provider().tunnels()).toEqual(before);
  });

  it('of an address that is somebody else’s at the provider is refused, and that record is untouched', async () => {
    const { client } = await newUser(system.url, 'free');
    const before = await provider().tunnels();
    const foreign = await provider().createRecord('fremd.tunnel.localhost');
    const { error } = await client.fail('POST /api/tunnel-configs', proxyInput('Fremd'));
    expect(error.code).toBe('hostname_in_use');
    expect(error.message).toContain('fremd.tunnel.localhost');
    const records = (await provider().records()).filter((record) => record.name === foreign.name);
    expect(records).toEqual([foreign]);
    await until(
      'the half-made tunnel is gone',
      async () => (await provider().tunnels()).length === before.length,
    );
  });

  it('while the provider is out of order stays pending with the reason, and heals by itself', async () => {
    const { client } = await newUser(system.url, 'free');
    const before = await provider().tunnels();
    await provider().fault({ match: { operation: 'createTunnel' }, fault: '500' });
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    expect(proxy.status).toBe('pending');
    await until(
      'the list says why',
      async () => (await onlyProxy(client)).statusReason === 'provider_unavailable',
    );
    await provider().clearFaults();
    expect(await settled(client)).toMatchObject({ status: 'inactive', statusReason: null });
    await expectOneTunnel(client, before);
  });
});

describe('a mistake in the provider’s settings', () => {
  const broken = { match: {}, fault: 'refuse', status: 400, code: 6003 } as const;
  const problems = async () => (await system.admin()).call('GET /api/admin/provider-problems', {});

  it('costs nobody a create or an edit, and administrators are shown what to fix', async () => {
    const { client } = await newUser(system.url, 'free');
    const { client: other } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput('Alt'));
    await provider().fault(broken);
    const edited = await client.call('PUT /api/tunnel-configs/:id', { id: proxy.id, ...proxyInput('Neu') });
    expect(edited).toMatchObject({ changePending: true, cfDomain: 'alt.tunnel.localhost' });
    const created = await other.call('POST /api/tunnel-configs', proxyInput());
    expect(created.proxy.status).toBe('pending');
    expect(await problems()).toMatchObject([
      { fault: 'token_malformed', detail: expect.stringContaining('6003') },
    ]);
    expect((await client.fail('GET /api/admin/provider-problems', {})).status).toBe(403);

    await provider().clearFaults();
    expect(await settled(client)).toMatchObject({ cfDomain: 'neu.tunnel.localhost', statusReason: null });
    expect(await settled(other)).toMatchObject({ status: 'inactive', statusReason: null });
    expect(await problems()).toEqual([]);
  });
});

describe('an edit', () => {
  it('of the address moves the record; the old name is free again for its owner', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput('Alter Name'));
    const changed = await client.call('PUT /api/tunnel-configs/:id', {
      id: proxy.id,
      ...proxyInput('Neuer Name'),
    });
    expect(changed).toMatchObject({
      cfDomain: 'neuer-name.tunnel.localhost',
      cfTunnelId: proxy.cfTunnelId,
      changePending: false,
    });
    const names = (await provider().records()).map((record) => record.name);
    expect(names).toContain('neuer-name.tunnel.localhost');
    expect(names).not.toContain('alter-name.tunnel.localhost');
    const again = await client.call('POST /api/tunnel-configs', proxyInput('Alter Name'));
    expect(again.proxy.cfDomain).toBe('alter-name.tunnel.localhost');
  });

  it('that is refused returns an error and leaves the old entries and the old address', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput('Bleibt'));
    await provider().createRecord('belegt.tunnel.localhost');
    const { error } = await client.fail('PUT /api/tunnel-configs/:id', {
      id: proxy.id,
      ...proxyInput('Belegt'),
    });
    expect(error.code).toBe('hostname_in_use');
    expect(await settled(client)).toMatchObject({
      serverName: 'Bleibt',
      cfDomain: 'bleibt.tunnel.localhost',
      status: 'inactive',
    });
    const names = (await provider().records()).map((record) => record.name);
    expect(names).toContain('bleibt.tunnel.localhost');
  });

  it('during an outage keeps the old address serving and says that it is pending', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput('Vorher'));
    await provider().fault({ match: {}, fault: '500' });
    const changed = await client.call('PUT /api/tunnel-configs/:id', {
      id: proxy.id,
      ...proxyInput('Nachher'),
    });
    expect(changed).toMatchObject({ changePending: true, cfDomain: 'vorher.tunnel.localhost' });
    await provider().clearFaults();
    expect(await settled(client)).toMatchObject({ cfDomain: 'nachher.tunnel.localhost' });
  });
});

describe('a call that is overtaken', () => {
  // The provider answers late enough for the second call, and far sooner than the first would give up.
  const slow = { match: { operation: 'createTunnel' }, fault: 'delay', ms: 600, times: 1 } as const;

  it('by a delete says that there is nothing any more, and leaves nothing', async () => {
    const { client } = await newUser(system.url, 'free');
    const before = await provider().tunnels();
    await provider().fault(slow);
    const create = client.fail('POST /api/tunnel-configs', proxyInput());
    const { id } = await until('the row is there', () => onlyProxy(client));
    await client.call('DELETE /api/tunnel-configs/:id', { id });
    const { status, error } = await create;
    expect([status, error.code]).toEqual([404, 'not_found']);
    await until('the provider is clean', async () => (await provider().tunnels()).length === before.length);
  });

  it('by an edit answers what has become of the proxy', async () => {
    const { client } = await newUser(system.url, 'free');
    await provider().fault(slow);
    const create = client.call('POST /api/tunnel-configs', proxyInput());
    const { id } = await until('the row is there', () => onlyProxy(client));
    const renamed = proxyInput();
    const edit = client.call('PUT /api/tunnel-configs/:id', { id, ...renamed });
    expect((await create).proxy).toMatchObject({ id, serverName: renamed.serverName, status: 'inactive' });
    expect(await edit).toMatchObject({ id, serverName: renamed.serverName, status: 'inactive' });
  });
});

describe('a recreate', () => {
  it('gives a new tunnel and token at the same address and removes the old tunnel', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const before = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    const response = await client.call('POST /api/recreate-tunnel/:id', { id: proxy.id });
    expect(response.status).toBe('inactive');
    expect(response.tunnelId).not.toBe(proxy.cfTunnelId);
    const after = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    expect(after.token).not.toBe(before.token);
    const ids = (await provider().tunnels()).map((tunnel) => tunnel.id);
    expect(ids).toContain(response.tunnelId);
    expect(ids).not.toContain(proxy.cfTunnelId);
  });

  it('heals a proxy whose tunnel is gone at the provider', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    await provider().deleteTunnel(proxy.cfTunnelId ?? '');
    const status = await client.call('GET /api/tunnel-status/:id', { id: proxy.id });
    expect(status.status).toBe('not_found');
    // One look is not enough to take its tunnel from it.
    expect(await onlyProxy(client)).toMatchObject({ status: 'inactive', cfTunnelId: proxy.cfTunnelId });
    for (let pass = 0; pass < 2; pass += 1) await operate(system.talpa.home, ['resync']);
    expect(await onlyProxy(client)).toMatchObject({
      status: 'error',
      statusReason: 'tunnel_gone',
      cfTunnelId: null,
    });
    const { error } = await client.fail('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    expect(error.code).toBe('no_tunnel');
    await client.call('POST /api/recreate-tunnel/:id', { id: proxy.id });
    expect(await onlyProxy(client)).toMatchObject({ status: 'inactive', statusReason: null });
  });
});

describe('a delete', () => {
  it('is seen at once and removes tunnel and record', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    await client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
    expect(await client.call('GET /api/tunnel-configs', {})).toEqual([]);
    await until('the provider is clean', async () => {
      const tunnels = await provider().tunnels();
      const records = await provider().records();
      return (
        !tunnels.some((tunnel) => tunnel.id === proxy.cfTunnelId) &&
        !records.some((record) => record.name === proxy.cfDomain)
      );
    });
  });

  it('gives the name to the same owner’s next proxy at once', async () => {
    const { client } = await newUser(system.url, 'free');
    await provider().fault({ match: { operation: 'deleteRecord' }, fault: '500', times: 1 });
    const first = await client.call('POST /api/tunnel-configs', proxyInput('Wieder'));
    await client.call('DELETE /api/tunnel-configs/:id', { id: first.proxy.id });
    await client.call('POST /api/tunnel-configs', proxyInput('Wieder'));
    const proxy = await settled(client);
    expect(proxy).toMatchObject({ cfDomain: 'wieder.tunnel.localhost', status: 'inactive' });
    await until('only the new record remains', async () => {
      const records = (await provider().records()).filter((record) => record.name === proxy.cfDomain);
      return records.length === 1 && records[0]?.content === `${proxy.cfTunnelId}.cfargotunnel.com`;
    });
  });
});
