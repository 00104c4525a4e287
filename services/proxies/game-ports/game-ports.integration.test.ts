import { randomUUID } from 'node:crypto';
import type { GamePortInput, Tier } from '@talpa/contracts';
import { planOf } from '@talpa/contracts';
import { useOtherServices } from '@talpa/test-kit/other-services';
import { actorOf } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { startZoneServer } from '@talpa/test-kit/zone-server';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProxiesContext } from '../context.ts';
import { deleteProxy } from '../proxies/delete.ts';
import { exportUser } from '../proxies/export.ts';
import { suspendProxy } from '../proxies/suspend.ts';
import { updateProxy } from '../proxies/update.ts';
import { report } from '../tunnels/previous-calls.ts';
import { projectUser } from '../users/projection.ts';
import { addGamePort } from './add.ts';
import { listGamePorts } from './list.ts';
import { removeGamePort } from './remove.ts';
import { updateGamePort } from './update.ts';

const dns = await startZoneServer();
afterAll(dns.stop);
const stores = useStores();
const verbs = useVerbs(stores, 'proxies', { withEdge: true });
const play = useOtherServices(stores, ['billing']);
const settings = {
  ...{ TUNNEL_DOMAIN: 'tunnel.example.net', PUBLIC_URL: 'https://panel.example.com', RESERVED_NAMES: [] },
  MAIL_FROM: undefined,
  ...{ TUNNEL_PUBLIC_PORT: 443, TUNNEL_PROVIDER: 'embedded', DNS_SERVERS: [dns.server] },
  ...{ REQUEST_LOG_DAYS: 30, EDGE_TCP_PORTS: { first: 25_000, last: 29_999 }, EDGE_TCP_NAME: undefined },
  ...{ PROVISION_WAIT_MS: 1, SWEEP_INTERVAL_MS: 1, STREAM_WATCH_MS: 1, DOMAIN_CHECK_INTERVAL_MS: 1 },
} as ProxiesContext['settings'];
type Changes = Partial<ProxiesContext['settings']>;

const minecraft: GamePortInput = {
  ...{ targetPort: 25_565, preset: 'minecraft', rules: { kind: 'open' }, proxyProtocol: false },
};
const onlyMe: GamePortInput['rules'] = {
  kind: 'rules',
  rules: [{ action: 'allow', expiresAt: null, match: { by: 'address', network: '192.0.2.1' } }],
  otherwise: 'deny',
};
const rcon: GamePortInput = { ...minecraft, targetPort: 25_575, preset: 'rcon', rules: onlyMe };

let users = 0;
/** A user with one proxy, whose tunnel the provider has. */
async function newOwner({
  tier = 'enterprise' as Tier,
  serverIp = '203.0.113.7',
  ...changes
}: Changes & { tier?: Tier; serverIp?: string } = {}) {
  users += 1;
  const actor = actorOf(users);
  const userId = users;
  const uuid = randomUUID();
  const hostname = `p${userId}.tunnel.example.net`;
  const applied = {
    ...{ tunnelId: randomUUID(), dnsRecordId: 'r', incarnation: 1, hostname },
    origin: `http://${serverIp}:1`,
  };
  const entries = { serverName: 'Server', serverIp, adminPort: 1, customUrl: null };
  await verbs.sql`
    insert into users (user_id, tier, proxy_limit, username) values (${userId}, ${tier}, 25, ${`u${userId}`})`;
  const [row] = await verbs.sql<{ id: number }[]>`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status, tunnel_health,
      applied_generation, applied, applied_entries)
    values (${uuid}, ${userId}, 'Server', ${serverIp}, 1, ${hostname}, 443, 'active', 'healthy', 1,
      ${verbs.sql.json(applied)}, ${verbs.sql.json(entries)})
    returning id`;
  await verbs.sql`insert into hostnames (hostname, proxy_uuid) values (${hostname}, ${uuid})`;
  const id = row?.id ?? 0;
  const as = (
    who = actor,
    audit: Parameters<typeof verbs.call>[1] = null,
    role: 'view' | 'manage' | null = 'manage',
  ) =>
    ({
      ...verbs.call(who, audit),
      ...{ role, settings: { ...settings, ...changes } },
    }) as unknown as ProxiesContext & { actor: typeof actor; role: typeof role };
  return {
    ...{ actor, userId, id, uuid, hostname },
    add: (input = minecraft, who = actor) => addGamePort(as(who, 'proxy.addGamePort'), { id, ...input }),
    update: (portId: number, input: GamePortInput, expected?: GamePortInput) =>
      updateGamePort(as(actor, 'proxy.updateGamePort'), { id, portId, ...input, expected }),
    remove: (portId: number) => removeGamePort(as(actor, 'proxy.removeGamePort'), { id, portId }),
    list: (who = actor) => listGamePorts(as(who, null, 'view'), { id }),
    edit: (serverIP: string) =>
      updateProxy(as(actor, 'proxy.update'), {
        id,
        serverName: 'Server',
        serverIP,
        adminPort: 1,
        customUrl: `p${userId}`,
      }),
    delete: () => deleteProxy(as(actor, 'proxy.delete'), { id }),
    suspend: () =>
      suspendProxy(as(actorOf(9_999, { isAdmin: true }), 'proxy.suspend') as never, {
        id,
        reason: 'Spam',
        expected: undefined,
      }),
    report: (generation: number, outcome: Parameters<typeof report>[1]['outcome']) =>
      report({ ...verbs.call(null), settings } as never, { proxyId: uuid, generation, outcome }),
    exported: async () =>
      (await exportUser({ ...verbs.call(null), settings } as never, { userId, after: null })).proxies[0]
        ?.gamePorts,
    member: async (role: 'view' | 'manage') => {
      users += 1;
      await verbs.sql`
        insert into members (proxy_id, user_id, role, joined_at) values (${id}, ${users}, ${role}, now())`;
      return actorOf(users);
    },
    /** What the table holds of its ports, those that were removed too. */
    stored: () =>
      verbs.sql<{ publicPort: number; targetHost: string; rules: object; removed: boolean }[]>`
        select public_port, target_host, rules, removed_at is not null as removed from game_ports
        where proxy_uuid = ${uuid} order by id`,
    audited: async () => {
      const rows = await verbs.sql<{ action: string; changes: object }[]>`
        select payload ->> 'action' as action, payload -> 'changes' as changes from outbox
        where subject like 'audit.%' and (payload ->> 'subjectUserId')::int = ${userId} order by id`;
      return rows;
    },
  };
}

const refused = (code: string, params?: object) => ({ code, ...(params ? { params } : {}) });
const aged = (publicPort: number, days: number) => verbs.sql`
  update game_ports set removed_at = removed_at - make_interval(days => ${days}) where public_port = ${publicPort}`;

describe('a game port', () => {
  it('is given a port of the range, leads to the proxy’s server, and is listed with what its owner chose', async () => {
    const owner = await newOwner();
    const added = await owner.add(rcon);
    expect(added).toMatchObject({ ...rcon, targetHost: '203.0.113.7', state: 'open' });
    expect(added.publicPort).toBeGreaterThanOrEqual(25_000);
    expect(added.publicPort).toBeLessThanOrEqual(29_999);
    const { ports, ...rest } = await owner.list();
    expect(ports).toEqual([added]);
    expect(rest).toEqual({
      ...{ availability: 'available', limit: planOf('enterprise').portLimit, used: 1 },
      ...{ host: owner.hostname, address: '192.0.2.1' },
    });
    const named = await newOwner({ EDGE_TCP_NAME: 'play.example.com' });
    expect(await named.list()).toMatchObject({ host: 'play.example.com' });
    expect(await owner.exported()).toMatchObject([{ publicPort: added.publicPort, ...rcon }]);
    expect(await verbs.published('proxy', owner.uuid)).toHaveLength(1);
    expect(await owner.audited()).toEqual([
      {
        action: 'proxy.addGamePort',
        changes: {
          ...{ gamePort: { to: added.publicPort }, targetPort: { to: 25_575 }, preset: { to: 'rcon' } },
          ...{ access: { to: 'rules' }, rules: { to: 'allow 192.0.2.1' }, otherwise: { to: 'deny' } },
          proxyProtocol: { to: false },
        },
      },
    ]);
  });

  it('never has the public port of another, also when all are taken at the same time', async () => {
    const range = { EDGE_TCP_PORTS: { first: 24_000, last: 24_005 } };
    const owners = await Promise.all(Array.from({ length: 8 }, () => newOwner(range)));
    const results = await Promise.allSettled(owners.map((owner) => owner.add()));
    const given = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value.publicPort] : []));
    expect(given.sort()).toEqual([24_000, 24_001, 24_002, 24_003, 24_004, 24_005]);
    const rest = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(rest).toEqual(['game_ports_exhausted', 'game_ports_exhausted']);
  });

  it('leaves its public port to its user at once, and to no other user for seven days', async () => {
    const range = { EDGE_TCP_PORTS: { first: 23_000, last: 23_000 } };
    const [owner, other] = [await newOwner(range), await newOwner(range)];
    const first = await owner.add();
    await expect(other.add()).rejects.toMatchObject(refused('game_ports_exhausted'));
    await owner.remove(first.id);
    await expect(other.add()).rejects.toMatchObject(refused('game_ports_exhausted'));
    const again = await owner.add(rcon);
    expect(again).toMatchObject({ publicPort: 23_000, preset: 'rcon' });
    await owner.remove(again.id);
    await aged(23_000, 6);
    await expect(other.add()).rejects.toMatchObject(refused('game_ports_exhausted'));
    await aged(23_000, 1);
    expect(await other.add()).toMatchObject({ publicPort: 23_000 });
    await expect(owner.add()).rejects.toMatchObject(refused('game_ports_exhausted'));
  });

  it('takes no more public ports from others by being removed and opened again and again', async () => {
    const range = { EDGE_TCP_PORTS: { first: 21_000, last: 21_007 } };
    const [owner, other] = [await newOwner({ ...range, tier: 'basic' }), await newOwner(range)];
    const { id, publicPort } = await owner.add();
    await owner.remove(id);
    for (let round = 0; round < 8; round += 1) await owner.remove((await owner.add()).id);
    expect(await owner.stored()).toMatchObject([{ publicPort, removed: true }]);
    for (let count = 0; count < 7; count += 1) await other.add();
    expect(await owner.add()).toMatchObject({ publicPort });
    await expect(other.add()).rejects.toMatchObject(refused('game_ports_exhausted'));
  });

  it('counts for the plan of the proxy’s owner, of all proxies together; after a downgrade it stays', async () => {
    const owner = await newOwner({ tier: 'basic' });
    const port = await owner.add();
    const limit = { limit: 1 };
    const poor = {
      ...{ tier: 'basic', proxyLimit: 25, expiresAt: null, commandVersion: 0, version: 0, deleted: false },
    };
    await play('billing.readSubscription', { id: owner.userId, ...poor });
    await expect(owner.add()).rejects.toMatchObject(refused('game_port_limit_reached', limit));
    await verbs.sql`update users set tier = 'free' where user_id = ${owner.userId}`;
    expect(await owner.list()).toMatchObject({ limit: 0, used: 1, ports: [{ state: 'open' }] });
    await owner.update(port.id, rcon);
    await owner.remove(port.id);
    await play('billing.readSubscription', { id: owner.userId, ...poor, tier: 'free', version: 0 });
    await expect(owner.add()).rejects.toMatchObject(refused('game_port_limit_reached', { limit: 0 }));
    // The subscription of the owner was changed a moment ago, and its event has not come yet.
    await play('billing.readSubscription', { id: owner.userId, ...poor, tier: 'premium', version: 9 });
    await owner.add();
  });

  it('is changed from what its editor saw, or not at all, and each change is published', async () => {
    const owner = await newOwner();
    const { id, publicPort } = await owner.add(rcon);
    const open: GamePortInput = { ...rcon, rules: { kind: 'open' }, proxyProtocol: true };
    expect(await owner.update(id, open, rcon)).toMatchObject({ id, publicPort, ...open });
    await expect(owner.update(id, minecraft, rcon)).rejects.toMatchObject(refused('edit_conflict'));
    const changed: GamePortInput = { ...open, rules: { ...onlyMe, otherwise: 'allow' } };
    await owner.update(id, changed, open);
    await expect(owner.update(id, open, open)).rejects.toMatchObject(refused('edit_conflict'));
    expect((await owner.list()).ports).toMatchObject([changed]);
    expect(await verbs.published('proxy', owner.uuid)).toHaveLength(3);
    expect((await owner.audited()).at(-1)).toEqual({
      action: 'proxy.updateGamePort',
      changes: {
        ...{ gamePort: { to: publicPort }, access: { from: 'open', to: 'rules' } },
        ...{ rules: { from: null, to: 'allow 192.0.2.1' }, otherwise: { from: null, to: 'allow' } },
      },
    });
  });

  it('whose public port an edge could not open is not called open', async () => {
    const owner = await newOwner();
    const { id, state } = await owner.add();
    await verbs.edgeSql`
      insert into port_connections (edge_id, port_id, open, is_closed, seen_at)
      values (${randomUUID()}, ${id}, 0, true, now())`;
    expect(state).toBe('open');
    expect((await owner.list()).ports).toMatchObject([{ state: 'not_opened' }]);
  });

  it('of another proxy is not found, whatever is done with it', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const { id } = await owner.add();
    for (const attempt of [() => other.update(id, rcon), () => other.remove(id)])
      await expect(attempt()).rejects.toMatchObject(refused('game_port_not_found'));
    await owner.remove(id);
    await expect(owner.remove(id)).rejects.toMatchObject(refused('game_port_not_found'));
    expect((await owner.list()).ports).toEqual([]);
  });

  it('is seen by members, and changed by those alone who manage the proxy', async () => {
    const owner = await newOwner();
    const { id } = await owner.add();
    const [viewer, manager] = [await owner.member('view'), await owner.member('manage')];
    expect((await owner.list(viewer)).ports).toMatchObject([{ id }]);
    await expect(owner.add(rcon, viewer)).rejects.toMatchObject(refused('role_missing'));
    await expect(owner.add(rcon, actorOf(8_888))).rejects.toMatchObject(refused('not_found'));
    await owner.add(rcon, manager);
    // The owner's plan counts, not the member's.
    expect(await owner.list()).toMatchObject({ used: 2 });
  });
});

describe('where there are no game ports', () => {
  it.each([
    ['with Cloudflare', { TUNNEL_PROVIDER: 'cloudflare' }, 'provider', 'game_ports_unavailable'],
    ['without a range', { EDGE_TCP_PORTS: null }, 'off', 'game_ports_off'],
  ] as const)(
    '%s none is added or changed; what there was is seen as switched off, and can be removed',
    async (_case, changes, availability, code) => {
      const owner = await newOwner(changes);
      const [{ id } = { id: 0 }] = await verbs.sql<{ id: number }[]>`
      insert into game_ports (proxy_id, proxy_uuid, user_id, public_port, target_host, target_port, preset, rules)
      values (${owner.id}, ${owner.uuid}, ${owner.userId}, ${25_500 + owner.userId}, '203.0.113.7', 1, 'other', '{"kind":"open"}')
      returning id`;
      await expect(owner.add()).rejects.toMatchObject(refused(code));
      await expect(owner.update(id, rcon)).rejects.toMatchObject(refused(code));
      expect(await owner.list()).toMatchObject({ availability, ports: [{ state: 'off' }] });
      await owner.remove(id);
      expect((await owner.list()).ports).toEqual([]);
    },
  );
});

describe('the target of a game port', () => {
  it('follows the proxy’s server, also when the provider has refused an edit', async () => {
    const owner = await newOwner();
    await owner.add();
    await owner.edit('203.0.113.8');
    expect(await owner.stored()).toMatchObject([{ targetHost: '203.0.113.8' }]);
    await owner.report(2, { kind: 'refused', reason: 'tunnel_refused' });
    expect(await owner.stored()).toMatchObject([{ targetHost: '203.0.113.7' }]);
  });

  it('is an address: a proxy whose server has a name gets no game port, and one with game ports gets no name', async () => {
    const named = await newOwner({ serverIp: 'game.example.org' });
    await expect(named.add()).rejects.toMatchObject(refused('game_port_no_address'));
    const owner = await newOwner({ serverIp: '2001:db8::7' });
    const port = await owner.add();
    await expect(owner.edit('game.example.org')).rejects.toMatchObject(refused('game_port_no_address'));
    expect(await owner.stored()).toMatchObject([{ targetHost: '2001:db8::7' }]);
    await owner.remove(port.id);
    await owner.edit('game.example.org');
  });

  it('is no public port of this installation, where DNS shows it', async () => {
    const owner = await newOwner({ serverIp: '198.51.100.1' });
    dns.set('A', owner.hostname, '198.51.100.1');
    const loop = { ...minecraft, targetPort: 25_001 };
    await expect(owner.add(loop)).rejects.toMatchObject(refused('game_port_loop'));
    const port = await owner.add({ ...loop, targetPort: 24_999 });
    await expect(owner.update(port.id, loop)).rejects.toMatchObject(refused('game_port_loop'));
    const elsewhere = await newOwner();
    dns.set('A', elsewhere.hostname, '198.51.100.1');
    await elsewhere.add(loop);
    await expect(elsewhere.edit('198.51.100.1')).rejects.toMatchObject(refused('game_port_loop'));
    await elsewhere.edit('198.51.100.2');
  });
});

describe('the edges', () => {
  it('are notified of each change of a game port and of its proxy, and of nothing that is removed', async () => {
    const owner = await newOwner();
    const received: string[] = [];
    const listening = await verbs.sql.listen('edge', (payload) => void received.push(payload));
    /** What they receive when this is done. */
    const notificationsOf = async (work: () => Promise<unknown>) => {
      received.length = 0;
      await work();
      const marker = randomUUID();
      await new Promise<void>((done) => {
        void verbs.sql.listen('edge', (payload) => payload === marker && done());
        void verbs.sql.notify('edge', marker);
      });
      return received.filter((payload) => payload.startsWith('port '));
    };
    const added = await notificationsOf(() => owner.add());
    const [{ id, publicPort } = { id: 0, publicPort: 0 }] = (await owner.list()).ports;
    const port = [`port ${publicPort}`];
    expect(added).toEqual(port);
    expect(await notificationsOf(() => owner.update(id, rcon))).toEqual(port);
    expect(await notificationsOf(() => owner.edit('203.0.113.9'))).toContain(port[0]);
    expect(await notificationsOf(() => owner.suspend())).toContain(port[0]);
    expect((await owner.list()).ports).toMatchObject([{ state: 'suspended' }]);
    expect(await notificationsOf(() => owner.delete())).toContain(port[0]);
    expect(await owner.stored()).toMatchObject([{ publicPort, removed: true }]);
    expect(
      await notificationsOf(() => verbs.sql`delete from game_ports where public_port = ${publicPort}`),
    ).toEqual([]);
    await listening.unlisten();
  });

  it('lose the ports of a proxy that is deleted or whose owner is, and the numbers stay reserved when nothing else is left of it', async () => {
    const range = { EDGE_TCP_PORTS: { first: 22_000, last: 22_001 } };
    const [owner, leaving, other] = [await newOwner(range), await newOwner(range), await newOwner(range)];
    await owner.add(rcon);
    await leaving.add(rcon);
    await owner.delete();
    await owner.report(2, { kind: 'removed' });
    const user = {
      ...{ id: leaving.userId, username: 'u', isAdmin: false, suspension: null, version: 9, deleted: true },
    };
    await verbs.transaction((tx) =>
      projectUser(tx, { ...user, createdAt: new Date().toISOString() } as never),
    );
    await leaving.report(2, { kind: 'removed' });
    expect(
      await verbs.sql`select 1 from proxies where uuid in (${owner.uuid}, ${leaving.uuid})`,
    ).toHaveLength(0);
    // No address of a person or a server stays.
    const numberAlone = {
      removed: true,
      targetHost: '',
      rules: { kind: 'rules', rules: [], otherwise: 'deny' },
    };
    for (const { stored } of [owner, leaving]) expect(await stored()).toMatchObject([numberAlone]);
    await expect(other.add()).rejects.toMatchObject(refused('game_ports_exhausted'));
  });
});

describe('a suspended proxy', () => {
  it('gets no game port and no change of one; its game ports can be removed', async () => {
    const owner = await newOwner();
    const { id } = await owner.add();
    await owner.suspend();
    for (const attempt of [() => owner.add(rcon), () => owner.update(id, rcon)])
      await expect(attempt()).rejects.toMatchObject(refused('proxy_suspended', { reason: 'Spam' }));
    await owner.remove(id);
  });
});
