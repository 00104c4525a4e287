import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import { beforeEach, describe, expect, it } from 'vitest';
import { createProvider } from '../../services/tunnel-worker/provider/client.ts';
import { useFront } from './front.ts';
import { domain, useWorld } from './world.ts';

const stores = useStores();
const embedded = useProvider(stores);
const front = useFront(() => embedded.settings);
const world = useWorld(stores, () => front.settings, true);
/** The same, at a provider that cannot end what is open at one proxy alone. */
const coarse = useWorld(stores, () => front.settings, false);

/** Two panels behind one connector, as they are at rest. */
let [first, second] = [0, 0];
let server = '';
let tunnelId = '';
beforeEach(async () => {
  first = await world.create('eins', 1001);
  server = (await world.rowOf(first))?.serverUuid ?? '';
  second = await world.create('zwei', 1002, server);
  await rest();
  tunnelId = (await world.servers())[0]?.applied?.tunnelId ?? '';
  await embedded.send('DELETE', '/fault-injection/calls');
});

async function rest() {
  while (await world.work());
}
const rules = () => front.configurations.get(tunnelId);
const rule = (label: string, port: number) => ({
  hostname: `${label}.${domain}`,
  service: `http://127.0.0.1:${port}`,
});
const end = { service: 'http_status:404' };
const names = async () => {
  const found = await createProvider(embedded.settings).findRecords({ commentPrefix: 'talpa test1 ' });
  return found
    .filter(({ content }) => content.startsWith(tunnelId))
    .map(({ hostname }) => hostname.split('.')[0]);
};
const takenBySomebody = (label: string) =>
  embedded.send('POST', '/client/v4/zones/zone1/dns_records', {
    ...{ type: 'CNAME', name: `${label}.${domain}`, content: 'elsewhere.example', comment: 'somebody’s' },
  });

it('two proxies of a server have one tunnel, a record each, and a rule each', async () => {
  expect(await world.servers()).toMatchObject([{ uuid: server, applied: { tunnelId } }]);
  for (const row of await world.proxies())
    expect(row).toMatchObject({ status: 'inactive', applied: { tunnelId, incarnation: 1 } });
  expect(rules()).toEqual([rule('eins', 1001), rule('zwei', 1002), end]);
  expect(await names()).toEqual(['eins', 'zwei']);
});

describe('the calls', () => {
  it('of a join are two, of an edit one, and changes that come together share them', async () => {
    await world.create('drei', 1003, server);
    await rest();
    expect(await embedded.calls()).toEqual({ createRecord: 1, putConfiguration: 1 });
    await embedded.send('DELETE', '/fault-injection/calls');
    await world.edit(first, 'eins', 2001);
    await world.edit(second, 'zwei', 2002);
    await rest();
    expect(await embedded.calls()).toEqual({ putConfiguration: 1 });
    expect(rules()).toEqual([rule('eins', 2001), rule('zwei', 2002), rule('drei', 1003), end]);
  });

  it('of a create and a delete of a lone proxy are six', async () => {
    const lone = await world.create('allein', 1004);
    await rest();
    expect(await embedded.calls()).toEqual({ createTunnel: 1, putConfiguration: 1, createRecord: 1 });
    await world.remove(lone);
    await rest();
    expect(await embedded.calls()).toEqual({
      ...{ createTunnel: 1, putConfiguration: 1, createRecord: 1 },
      ...{ listRecords: 1, deleteRecord: 1, deleteTunnel: 1 },
    });
    expect(await world.servers()).toHaveLength(1);
  });

  it('for one of fifty proxies are as many as for one of five', async () => {
    for (let count = 3; count <= 50; count += 1) await world.create(`p${count}`, 1000 + count, server);
    await rest();
    await embedded.send('DELETE', '/fault-injection/calls');
    await world.edit(first, 'eins', 2001);
    await rest();
    expect(await embedded.calls()).toEqual({ putConfiguration: 1 });
    expect(rules()).toHaveLength(51);
  });
});

describe('one proxy’s mistake', () => {
  it('a refused name leaves its sibling’s change alone, and its own old name in place', async () => {
    await takenBySomebody('vergeben');
    await world.edit(first, 'vergeben', 1001);
    await world.edit(second, 'zwei', 2002);
    await world.work();
    expect(rules()).toEqual([rule('eins', 1001), rule('zwei', 2002), end]);
    await rest();
    expect(await world.rowOf(first)).toMatchObject({
      customUrl: 'eins',
      statusReason: null,
      status: 'inactive',
    });
    expect(await world.rowOf(second)).toMatchObject({ adminPort: 2002, status: 'inactive' });
    expect(await names()).toEqual(['eins', 'zwei']);
  });

  it('a refused rule is found among several changes, and left out', async () => {
    front.poison = ':13';
    await world.edit(first, 'eins', 13);
    await world.edit(second, 'zwei', 2002);
    const third = await world.create('drei', 1003, server);
    await world.work();
    expect(rules()).toEqual([rule('eins', 1001), rule('zwei', 2002), rule('drei', 1003), end]);
    await rest();
    expect(await world.rowOf(first)).toMatchObject({ adminPort: 1001, status: 'inactive' });
    expect((await world.rowOf(third))?.status).toBe('inactive');
  });

  it('one paused on a port that no connector takes stays closed, with its names, at its own server', async () => {
    front.poison = ':13';
    await world.pause(second);
    await world.edit(second, 'zwei', 13);
    await rest();
    await world.serve(second, `eigene.${domain}`);
    await world.resume(second);
    await rest();
    const closed = [rule('eins', 1001), { ...rule('zwei', 0), service: 'http_status:503' }, end];
    expect([rules(), await names()]).toEqual([closed, ['eins', 'zwei']]);
    await world.move(second, await world.createServer('Maschine'));
    await rest();
    await world.edit(first, 'eins', 2001);
    await rest();
    expect([rules(), await names()]).toEqual([
      [rule('eins', 2001), ...closed.slice(1)],
      ['eins', 'zwei'],
    ]);
    expect(await world.rowOf(second)).toMatchObject({ serverUuid: server, status: 'error' });
  });

  it('a rule of a run that nobody has heard of goes with the refused order that follows', async () => {
    const third = await world.create('drei', 1003, server);
    await world.work({ report: () => Promise.reject(new Error('the report is lost')) });
    expect(rules()).toHaveLength(4);
    await takenBySomebody('vergeben');
    await world.edit(third, 'vergeben', 1003).catch(() => {});
    await world.wakeAll();
    await rest();
    expect(rules()).toEqual([rule('eins', 1001), rule('zwei', 1002), end]);
  });

  it('a record that cannot be made now is tried again, and holds nobody up', async () => {
    await embedded.fault({ match: { operation: 'createRecord' }, fault: '500', times: 1 });
    const third = await world.create('drei', 1003, server);
    const fourth = await world.create('vier', 1004, server);
    await world.work();
    expect(await world.rowOf(third)).toMatchObject({
      status: 'pending',
      statusReason: 'provider_unavailable',
    });
    expect(await world.rowOf(fourth)).toMatchObject({ status: 'inactive' });
    await world.wakeAll();
    await rest();
    expect(await world.rowOf(third)).toMatchObject({ status: 'inactive', statusReason: null });
    expect(await names()).toEqual(['drei', 'eins', 'vier', 'zwei']);
  });

  it('a refused join leaves nothing at the provider, and its siblings as they are', async () => {
    await takenBySomebody('vergeben');
    const third = await world.create('vergeben', 1003, server);
    await rest();
    expect(await world.rowOf(third)).toMatchObject({ status: 'error', statusReason: 'hostname_in_use' });
    expect(rules()).toEqual([rule('eins', 1001), rule('zwei', 1002), end]);
    await world.remove(third);
    await rest();
    expect(await world.rowOf(third)).toBeUndefined();
    expect(await world.servers()).toHaveLength(1);
  });
});

describe('suspending', () => {
  it('one proxy closes it alone, and cuts no connector off', async () => {
    await world.suspend(first);
    await rest();
    expect(rules()).toEqual([
      { hostname: `eins.${domain}`, service: 'http_status:403' },
      rule('zwei', 1002),
      end,
    ]);
    expect(await embedded.calls()).toEqual({ putConfiguration: 1 });
    await world.lift(first);
    await rest();
    expect(rules()).toEqual([rule('eins', 1001), rule('zwei', 1002), end]);
  });

  it('the last open one cuts the connector off, with one rule for all', async () => {
    await world.suspend(first);
    await rest();
    await world.suspend(second);
    await rest();
    expect(rules()).toEqual([{ service: 'http_status:403' }]);
    expect((await embedded.calls()).dropConnections).toBe(1);
  });
});

describe.each([
  ['embedded', world],
  ['elsewhere', coarse],
])('pausing (%s)', (_where, at) => {
  const settle = async () => {
    while (await at.work());
  };
  const away = (label: string) => ({ hostname: `${label}.${domain}`, service: 'http_status:503' });

  it('one proxy, or all, changes its rule alone and cuts no connector off; a suspension wins', async () => {
    const one = await at.create('ruht', 1001);
    const other = await at.create('daneben', 1002, (await at.rowOf(one))?.serverUuid);
    await settle();
    const { tunnelId: shared = '' } = (await at.rowOf(one))?.applied ?? {};
    const present = () => front.configurations.get(shared);
    await embedded.send('DELETE', '/fault-injection/calls');
    await at.pause(one);
    await settle();
    expect(present()).toEqual([away('ruht'), rule('daneben', 1002), end]);
    await at.pause(other);
    await settle();
    expect(present()).toEqual([away('ruht'), away('daneben'), end]);
    expect(await embedded.calls()).toEqual({ putConfiguration: 2 });
    await at.suspend(one);
    await settle();
    expect(present()?.[0]?.service).toBe('http_status:403');
    await at.lift(one);
    await at.resume(other);
    await settle();
    expect(present()).toEqual([away('ruht'), rule('daneben', 1002), end]);
    await at.resume(one);
    await settle();
    expect(present()).toEqual([rule('ruht', 1001), rule('daneben', 1002), end]);
  });
});

it('where the provider cannot end what is open at one proxy, suspending it cuts the connector off once', async () => {
  const id = await coarse.create('grob', 1001);
  await coarse.create('daneben', 1002, (await coarse.rowOf(id))?.serverUuid);
  while (await coarse.work());
  await embedded.send('DELETE', '/fault-injection/calls');
  await coarse.suspend(id);
  while (await coarse.work());
  expect(await embedded.calls()).toEqual({ putConfiguration: 1, dropConnections: 1 });
});

describe('deleting', () => {
  it('one proxy takes its record and its rule, and leaves the tunnel and the connector', async () => {
    await world.remove(first);
    await rest();
    expect(rules()).toEqual([rule('zwei', 1002), end]);
    expect(await embedded.calls()).toEqual({ listRecords: 1, deleteRecord: 1, putConfiguration: 1 });
    expect(await names()).toEqual(['zwei']);
    expect(await world.servers()).toMatchObject([{ uuid: server, removedAt: null }]);
  });

  it('the last proxy takes an implicit server along', async () => {
    for (const id of [first, second]) await world.remove(id);
    await rest();
    expect([await world.servers(), await world.proxies(), await names()]).toEqual([[], [], []]);
    expect(await createProvider(embedded.settings).findTunnels('talpa-')).toEqual([]);
  });
});

it('recreating leads every proxy to the new tunnel and removes the old one', async () => {
  await world.recreate(second).catch(() => {});
  await rest();
  const old = tunnelId;
  tunnelId = (await world.servers())[0]?.applied?.tunnelId ?? '';
  expect(tunnelId).not.toBe(old);
  expect(rules()).toEqual([rule('eins', 1001), rule('zwei', 1002), end]);
  expect(await names()).toEqual(['eins', 'zwei']);
  expect((await createProvider(embedded.settings).findTunnels('talpa-')).map(({ id }) => id)).toEqual([
    tunnelId,
  ]);
});

it('recreating leaves nothing of a proxy that the new tunnel refuses, until its owner corrects it', async () => {
  front.poison = ':13';
  await world.edit(first, 'eins', 13);
  await world.suspend(first);
  await rest();
  // It stays closed: its rule is refused.
  await world.lift(first);
  await rest();
  expect(rules()?.[0]).toEqual({ hostname: `eins.${domain}`, service: 'http_status:403' });
  await world.recreate(second).catch(() => {});
  await rest();
  const old = tunnelId;
  tunnelId = (await world.servers())[0]?.applied?.tunnelId ?? '';
  expect(rules()).toEqual([rule('zwei', 1002), end]);
  expect(await names()).toEqual(['zwei']);
  expect(await world.rowOf(first)).toMatchObject({ status: 'error', applied: null });
  await world.edit(first, 'eins', 1001);
  await rest();
  expect(rules()).toEqual([rule('eins', 1001), rule('zwei', 1002), end]);
  expect(await names()).toEqual(['eins', 'zwei']);
  tunnelId = old;
  expect(await names()).toEqual([]);
});

describe('moving', () => {
  const serverOf = async (id: number) => (await world.rowOf(id))?.serverId ?? 0;
  const move = (id: number, serverId: number) => world.move(id, serverId);
  let [target, targetTunnel] = [0, ''];
  beforeEach(async () => {
    target = await world.createServer('Maschine');
    await rest();
    targetTunnel = (await world.servers()).find(({ id }) => id === target)?.applied?.tunnelId ?? '';
    await embedded.send('DELETE', '/fault-injection/calls');
  });

  it('configures the new tunnel first and the old one last, and keeps the record', async () => {
    const seen: string[] = [];
    front.onSeen = (one) => {
      if (one.kind === 'configuration')
        seen.push(`${one.tunnelId === targetTunnel ? 'new' : 'old'}: ${one.rules.length - 1}`);
    };
    await move(second, target);
    await world.work();
    expect(seen).toEqual(['new: 1']);
    await rest();
    expect(seen).toEqual(['new: 1', 'old: 1']);
    expect(rules()).toEqual([rule('eins', 1001), end]);
    expect(front.configurations.get(targetTunnel)).toEqual([rule('zwei', 1002), end]);
    expect(await embedded.calls()).toEqual({ listRecords: 1, editRecord: 1, putConfiguration: 2 });
    expect(await world.rowOf(second)).toMatchObject({
      ...{ serverId: target, status: 'inactive', movedFrom: null, applied: { tunnelId: targetTunnel } },
    });
  });

  it('the old tunnel serves it whatever else changes there, until the new one does', async () => {
    await embedded.fault({ match: { operation: 'editRecord' }, fault: '500' });
    await move(second, target);
    await world.work();
    await world.edit(first, 'eins', 2001);
    await rest();
    expect(rules()).toEqual([rule('eins', 2001), rule('zwei', 1002), end]);
    await embedded.send('DELETE', '/fault-injection/faults');
    await world.wakeAll();
    await rest();
    expect(rules()).toEqual([rule('eins', 2001), end]);
  });

  it('its old rule goes although an order of a sibling is refused in the same run', async () => {
    await move(second, target);
    front.poison = ':13';
    await world.create('drei', 13, server);
    await rest();
    expect(rules()).toEqual([rule('eins', 1001), end]);
  });

  it('a server made for its proxies goes with the last that leaves, and leaves them alone when it is looked for', async () => {
    const [a, b] = [first, second];
    for (const id of [a, b]) {
      await move(id, target);
      await rest();
    }
    expect((await world.servers()).map(({ id }) => id)).toEqual([target]);
    tunnelId = targetTunnel;
    expect(await names()).toEqual(['eins', 'zwei']);
    // It had the first proxy's uuid.
    await world.scan(server);
    await rest();
    expect(await names()).toEqual(['eins', 'zwei']);
  });

  it('takes a proxy back whose name the new server cannot have', async () => {
    const from = await serverOf(second);
    const provider = createProvider(embedded.settings);
    const [record] = await provider.findRecords({ hostname: `zwei.${domain}` });
    await provider.replaceRecord(record?.id ?? '', `zwei.${domain}`, 'elsewhere.example', 'somebody’s');
    await move(second, target);
    await rest();
    expect(await serverOf(second)).toBe(from);
    expect(front.configurations.get(targetTunnel)).toEqual([end]);
    expect(await world.rowOf(second)).toMatchObject({ status: 'error', statusReason: 'hostname_in_use' });
  });

  it('to a new server makes it with its tunnel, and it keeps its name when its proxy goes', async () => {
    await world.moveToNew(second, 'Dach');
    await rest();
    const made = (await world.servers()).find(({ name }) => name === 'Dach');
    expect(made).toMatchObject({ kind: 'machine', id: await serverOf(second) });
    expect(front.configurations.get(made?.applied?.tunnelId ?? '')).toEqual([rule('zwei', 1002), end]);
    expect(rules()).toEqual([rule('eins', 1001), end]);
    await world.remove(second);
    await rest();
    expect((await world.servers()).map(({ name }) => name)).toContain('Dach');
  });

  it.each([
    [
      'whose tunnel is refused',
      () =>
        embedded.fault({
          match: { operation: 'createTunnel' },
          fault: 'refuse',
          status: 400,
          code: 1003,
          times: 1,
        }),
    ],
    [
      'whose rule is refused',
      async () => {
        front.poison = ':1002';
      },
    ],
  ])('to a new server %s leaves no server behind, and the proxy where it was', async (_why, refuse) => {
    const [from, before] = [await serverOf(second), (await world.servers()).length];
    await refuse();
    await world.moveToNew(second, 'Dach');
    await rest();
    front.poison = '';
    expect(await serverOf(second)).toBe(from);
    expect(await world.servers()).toHaveLength(before);
    expect(await embedded.calls()).toMatchObject({ createTunnel: 1 });
    expect(rules()).toEqual([rule('eins', 1001), rule('zwei', 1002), end]);
  });

  it('of a proxy that is deleted before it has got to its new server leaves none behind', async () => {
    const before = (await world.servers()).length;
    await world.moveToNew(second, 'Dach');
    await world.remove(second);
    await rest();
    expect(await world.servers()).toHaveLength(before);
    expect(rules()).toEqual([rule('eins', 1001), end]);
  });

  it('is refused while the proxy changes, to a server whose token is shared, and to a full one', async () => {
    await world.edit(second, 'zwei', 2002);
    await expect(move(second, target)).rejects.toMatchObject({ code: 'proxy_pending' });
    await rest();
    await world.share(target);
    await expect(move(second, target)).rejects.toMatchObject({ code: 'server_token_shared' });
    await world.recreateServer(target).catch(() => {});
    await rest();
    await move(second, target);
    await rest();
    expect((await world.rowOf(second))?.serverId).toBe(target);
  });
});

it('forty joins at once fill a server to 200 addresses, and no further', async () => {
  await world.addDomains(first, 175);
  const id = (await world.rowOf(first))?.serverUuid ?? null;
  const joins = await Promise.allSettled(
    Array.from({ length: 40 }, (_, at) => world.create(`voll-${at}`, 3000 + at, id)),
  );
  const refused = joins.filter((one) => one.status === 'rejected').map(({ reason }) => reason.code);
  expect(joins.length - refused.length).toBe(200 - 175 - 2);
  expect(new Set(refused)).toEqual(new Set(['server_full']));
});

it('a full scan finds what a first proxy has left that is gone, and its siblings’ lost record', async () => {
  await world.remove(first);
  await rest();
  await embedded.send('POST', '/client/v4/zones/zone1/dns_records', {
    ...{
      type: 'CNAME',
      name: `rest.${domain}`,
      content: `${tunnelId}.cfargotunnel.com`,
      comment: `talpa test1 ${server}`,
    },
  });
  const [record] = await createProvider(embedded.settings).findRecords({ hostname: `zwei.${domain}` });
  await embedded.send('DELETE', `/client/v4/zones/zone1/dns_records/${record?.id}`);
  await world.scan(server);
  await rest();
  expect(await names()).toEqual(['zwei']);
});

it('a tunnel that is gone is that for all of its proxies, and no other is made', async () => {
  await embedded.send('DELETE', `/client/v4/accounts/account1/cfd_tunnel/${tunnelId}`);
  await world.edit(first, 'eins', 2001);
  await rest();
  for (const row of await world.proxies())
    expect(row).toMatchObject({ status: 'error', statusReason: 'tunnel_gone', applied: null });
  expect(await createProvider(embedded.settings).findTunnels('talpa-')).toEqual([]);
});

it('a run that a recreate overtakes counts for nothing', async () => {
  await world.edit(first, 'eins', 2001);
  let isFirst = true;
  const acquire = async () => {
    if (isFirst) await world.recreate(second).catch(() => {});
    isFirst = false;
  };
  await world.work({ budget: { acquire, pause: async () => {} } });
  const old = { generation: 2, appliedGeneration: 1, incarnation: 2, applied: { tunnelId, incarnation: 1 } };
  expect(await world.servers()).toMatchObject([old]);
  expect(await world.rowOf(first)).toMatchObject({ generation: 3, appliedGeneration: 1 });
  await rest();
  const [renewed] = await world.servers();
  expect(renewed).toMatchObject({ appliedGeneration: 2, applied: { incarnation: 2 } });
  tunnelId = renewed?.applied?.tunnelId ?? '';
  expect(rules()).toEqual([rule('eins', 2001), rule('zwei', 1002), end]);
});
