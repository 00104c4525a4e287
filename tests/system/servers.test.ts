import { routes } from '@talpa/contracts';
import { type Client, newUser, proxyInput, withApiKey } from '@talpa/test-kit/client';
import { readLive } from '@talpa/test-kit/live';
import { makeMember } from '@talpa/test-kit/members';
import { tableRoutes } from '@talpa/test-kit/requests/route';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const system = useSharedTalpa();

const create = async (client: Client, serverId?: number) =>
  (await client.call('POST /api/tunnel-configs', { ...proxyInput(), ...(serverId && { serverId }) })).proxy;
const actionsOf = (events: readonly { readonly kind: string; readonly action?: string }[]) =>
  events.flatMap(({ action }) => action ?? []);

it('a server gets proxies, loses one to another, and its owner’s pages hear of each', async () => {
  const { client } = await newUser(system.url, 'enterprise');
  const live = await readLive(system.url, client.cookie);
  await live.saw({ type: 'refetch' });
  const server = await client.call('POST /api/servers', { name: 'Keller' });
  expect(server).toMatchObject({ kind: 'machine', status: 'inactive', proxyIds: [], role: 'owner' });
  await live.saw({ type: 'server', scope: 'own', id: server.id });

  const [first, second] = [await create(client, server.id), await create(client, server.id)];
  for (const proxy of [first, second])
    expect(proxy).toMatchObject({
      ...{ serverId: server.id, cfTunnelId: server.cfTunnelId, status: 'inactive', mayReadToken: true },
    });
  const token = await client.call('GET /api/servers/:id/tunnel-token', { id: server.id });
  for (const { id } of [first, second])
    expect(await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id })).toEqual(token);
  expect((await client.call('GET /api/servers/:id/health', { id: server.id })).connector).toMatchObject({
    connections: 0,
  });

  const lone = await create(client);
  const moved = await client.call('PUT /api/tunnel-configs/:id/server', {
    id: second.id,
    serverId: lone.serverId,
  });
  expect(moved).toMatchObject({
    serverId: lone.serverId,
    cfTunnelId: lone.cfTunnelId,
    cfDomain: second.cfDomain,
  });
  const provider = providerOf(system.talpa);
  const hostsOf = async (tunnelId: string | null) =>
    (await provider.ingress(tunnelId ?? '')).flatMap(({ hostname }) => hostname ?? []);
  expect(await hostsOf(lone.cfTunnelId)).toEqual([second.cfDomain, lone.cfDomain]);
  await until('the rule to leave', async () => (await hostsOf(server.cfTunnelId)).length === 1);
  const servers = await client.call('GET /api/servers', {});
  expect(servers.map(({ id, proxyIds }) => [id, proxyIds])).toEqual([
    [server.id, [first.id]],
    [lone.serverId, [second.id, lone.id]],
  ]);

  await client.call('PUT /api/servers/:id', { id: lone.serverId, name: 'Dach' });
  await live.saw({ type: 'server', scope: 'own', id: lone.serverId });
  const { status, error } = await client.fail('DELETE /api/servers/:id', { id: server.id });
  expect([status, error.code]).toEqual([409, 'server_not_empty']);
  await client.call('DELETE /api/tunnel-configs/:id', { id: first.id });
  await client.call('DELETE /api/servers/:id', { id: server.id });
  const exported = await client.call('GET /api/user/export', {});
  expect(exported.servers).toMatchObject([
    { id: lone.serverId, name: 'Dach', proxyIds: [second.id, lone.id] },
  ]);
  live.close();
});

it('what a script does to a server is said of its API key, to the owner alone', async () => {
  const { client } = await newUser(system.url, 'basic');
  const { client: member } = await newUser(system.url);
  const { id, serverId } = await create(client);
  await makeMember(client, id, member, 'manage');
  const script = await withApiKey(client, ['proxies:write'], { name: 'Nachtlauf' });
  await client.call('PUT /api/servers/:id', { id: serverId, name: 'Von Hand' });
  await script.call('PUT /api/servers/:id', { id: serverId, name: 'Vom Skript' });
  const renames = async (reader: Client) => {
    const events = await reader.call('GET /api/servers/:id/events', { id: serverId });
    return events.flatMap((one) =>
      one.kind === 'deed' && one.action === 'server.update' ? [one.keyName] : [],
    );
  };
  await until('both renames', async () => (await renames(client)).length === 2);
  expect(await renames(client)).toEqual(['Nachtlauf', null]);
  expect(await renames(member)).toEqual([null, null]);
});

it('what is done to a server’s tunnel is among the events of its proxies; a member sees no sibling', async () => {
  const { client } = await newUser(system.url, 'basic');
  const { client: member } = await newUser(system.url);
  const first = await create(client);
  const second = await create(client, first.serverId);
  await makeMember(client, first.id, member, 'manage');
  await client.call('GET /api/servers/:id/tunnel-token', { id: first.serverId });
  await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: second.id });
  await client.call('POST /api/servers/:id/recreate', { id: first.serverId });
  const ofTunnel = ['server.recreate', 'server.readToken'];
  for (const { id } of [first, second])
    await until('the events of the tunnel', async () => {
      const actions = actionsOf(await client.call('GET /api/tunnel-configs/:id/events', { id }));
      return ofTunnel.every((action) => actions.includes(action));
    });
  const events = (reader: Client) => reader.call('GET /api/servers/:id/events', { id: first.serverId });
  await until('the read by way of a proxy', async () =>
    actionsOf(await events(client)).includes('proxy.readToken'),
  );
  expect(actionsOf(await events(member)).sort()).toEqual(ofTunnel.toSorted());
  expect(await member.call('GET /api/servers/:id', { id: first.serverId })).toMatchObject({
    ...{ proxyIds: [first.id], role: null, mayReadToken: false },
  });
  const refused = await member.fail('GET /api/tunnel-configs/:id/tunnel-token', { id: first.id });
  expect([refused.status, refused.error.code]).toEqual([403, 'role_missing']);
});

it('what a member gets in response to a change is what they read afterwards, the right to the token too', async () => {
  const { client } = await newUser(system.url, 'enterprise');
  const { client: guest } = await newUser(system.url, 'basic');
  const input = proxyInput();
  const { id, serverId } = (await client.call('POST /api/tunnel-configs', input)).proxy;
  const sibling = await create(client, serverId);
  const changes = {
    'PUT /api/tunnel-configs/:id': () => guest.call('PUT /api/tunnel-configs/:id', { id, ...input }),
    'PUT /api/tunnel-configs/:id/pause': () =>
      guest.call('PUT /api/tunnel-configs/:id/pause', { id, message: 'Kaffee' }),
  };
  const shown = routes['GET /api/tunnel-configs/:id'].response;
  const all = tableRoutes.filter(
    ({ entry }) => entry.response === shown && entry.of === 'proxy' && entry.role !== 'owner' && entry.audit,
  );
  expect(all.map(({ name }) => name).filter((name) => !name.includes('admin'))).toEqual(Object.keys(changes));
  for (const [ofId, mayReadToken] of [
    [id, false],
    [sibling.id, true],
  ] as const) {
    await makeMember(client, ofId, guest, 'manage');
    for (const change of Object.values(changes)) {
      const proxy = await change();
      expect(proxy.mayReadToken).toBe(mayReadToken);
      expect(proxy).toEqual(await guest.call('GET /api/tunnel-configs/:id', { id }));
    }
  }
});
