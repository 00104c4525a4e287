import { randomUUID } from 'node:crypto';
import type { Actor, AuditAction, KeyActor, MemberRole, ProxyRole } from '@talpa/contracts';
import { useOtherServices } from '@talpa/test-kit/other-services';
import { actorOf } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProxiesContext } from '../context.ts';
import { createEnrolmentKey } from '../enrolment/keys.ts';
import { createProxy } from '../proxies/create.ts';
import { getProxy } from '../proxies/get.ts';
import type { ProxyRow } from '../proxy/row.ts';
import type { ServerRow } from '../server/row.ts';
import { getServerToken, getTunnelToken } from '../tunnels/get-token.ts';
import { recreateServer, recreateTunnel } from '../tunnels/recreate.ts';
import { createServer } from './create.ts';
import { deleteServer } from './delete.ts';
import { getServer } from './get.ts';
import { listOwnServers } from './list.ts';
import { updateServer } from './update.ts';

const stores = useStores();
const proxies = useVerbs(stores, 'proxies', { withEdge: true });
const play = useOtherServices(stores, ['tunnel-worker', 'billing']);
const [owner, member, admin] = [7, 8, 9];
const settings = {
  ...{ TUNNEL_DOMAIN: 'example.com', TUNNEL_PUBLIC_PORT: 80, TUNNEL_PROVIDER: 'embedded' },
  ...{ RESERVED_NAMES: [], PROVISION_WAIT_MS: 1 },
};

let server: ServerRow;
let [first, second] = [0, 0];
beforeEach(async () => {
  for (const table of ['members', 'hostnames', 'reserved_hostnames', 'proxies', 'servers', 'users', 'outbox'])
    await proxies.sql.unsafe(`delete from ${table}`);
  await proxies.sql`insert into users (user_id, username, tier, proxy_limit) values (7, 'max', 'premium', 3)`;
  first = await insert(null);
  const [made] = await proxies.sql<ServerRow[]>`
    update servers set applied = ${proxies.sql.json({ tunnelId: 't1', incarnation: 1 })}, applied_generation = 1 returning *`;
  if (!made) throw new Error('no server was made');
  server = made;
  second = await insert(server);
});

async function insert(on: ServerRow | null): Promise<number> {
  const uuid = randomUUID();
  const [row] = await proxies.sql<ProxyRow[]>`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status, applied_generation,
      server_id, server_uuid)
    values (${uuid}, 7, 'Server', '127.0.0.1', 40120, ${`${uuid}.example.com`}, 80, 'inactive', 1, ${on?.id ?? null},
      ${on?.uuid ?? null}) returning *`;
  return row?.id ?? 0;
}
const as = <A extends Actor>(actor: A, role: ProxyRole, audit: AuditAction | null = null) =>
  ({ ...proxies.call(actor, audit), role, settings }) as unknown as ProxiesContext & { actor: A };
const keyOf = (proxyIds: readonly number[] | null): KeyActor => ({
  ...{ userId: owner, isAdmin: false, sessionId: null },
  apiKey: {
    id: 1,
    name: 'Skript',
    scopes: ['proxies:write', 'tunnel-token:read'],
    proxyIds,
    expiresAt: null,
  },
});
const grant = async (id: number, role: MemberRole | null) =>
  role &&
  (await proxies.sql`
    insert into members (proxy_id, user_id, role, joined_at) values (${id}, ${member}, ${role}, now())`);
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'served',
    (error: { code?: string }) => error.code,
  );
const tokenOf = async (actor: Actor, id = server.id) => {
  await play('tunnel-worker.getTunnelToken', { token: 'geheim' });
  return codeOf(getServerToken(as(actor, 'operate', 'server.readToken'), { id }));
};
const sharedAt = async () =>
  (await proxies.sql<ServerRow[]>`select * from servers where id = ${server.id}`)[0]?.tokenSharedAt;

/** By hand: what a member is to the first proxy and to the second, and what follows at the server. */
const rights = [
  // first, second, role, sees, token and recreate
  [null, null, 'hidden', [], 'not_found'],
  ['view', null, null, ['first'], 'role_missing'],
  [null, 'operate', null, ['second'], 'role_missing'],
  ['manage', null, null, ['first'], 'role_missing'],
  ['view', 'view', 'view', ['first', 'second'], 'role_missing'],
  ['view', 'manage', 'view', ['first', 'second'], 'role_missing'],
  ['operate', 'view', 'view', ['first', 'second'], 'role_missing'],
  ['operate', 'operate', 'operate', ['first', 'second'], 'served'],
  ['operate', 'manage', 'operate', ['first', 'second'], 'served'],
  ['manage', 'manage', 'manage', ['first', 'second'], 'served'],
] as const;

describe.each(rights)(
  'a member who may %s one proxy and %s the other',
  (atFirst, atSecond, role, sees, token) => {
    beforeEach(async () => {
      await grant(first, atFirst);
      await grant(second, atSecond);
    });
    const ids = () => sees.map((which) => (which === 'first' ? first : second));

    it('sees theirs of the server, and the lowest role', async () => {
      const call = getServer(as(actorOf(member), 'view'), { id: server.id });
      if (role === 'hidden') return expect(await codeOf(call)).toBe('not_found');
      expect(await call).toMatchObject({ proxyIds: ids(), role, mayReadToken: token === 'served' });
      for (const id of ids())
        expect(await getProxy(as(actorOf(member), 'view'), { id })).toMatchObject({
          ...{ serverId: server.id, mayReadToken: token === 'served' },
        });
    });

    it('has the token and another tunnel only with operate at both, whichever way', async () => {
      const actor = actorOf(member);
      expect(await tokenOf(actor)).toBe(token);
      const anew = token === 'served' ? ['deadline_exceeded', 'proxy_pending'] : [token, token];
      for (const id of ids()) {
        await play('tunnel-worker.getTunnelToken', { token: 'geheim' });
        expect(await codeOf(getTunnelToken(as(actor, 'operate', 'proxy.readToken'), { id }))).toBe(token);
        const key = { name: 'Befehl', proxyId: id, serverId: null, panel: null, uses: 1, minutes: 60 };
        const made = createEnrolmentKey(as(actorOf(member), 'operate', 'enrolmentKey.create'), key);
        expect(await codeOf(made)).toBe(token);
      }
      expect(await codeOf(recreateServer(as(actor, 'operate', 'server.recreate'), { id: server.id }))).toBe(
        anew[0],
      );
      for (const id of ids())
        expect(await codeOf(recreateTunnel(as(actor, 'operate', 'proxy.recreateTunnel'), { id }))).toBe(
          anew[1],
        );
    });

    it('neither renames nor deletes it, nor makes a key for it', async () => {
      const expected = role === 'hidden' ? 'not_found' : 'role_missing';
      const [actor, { id }] = [actorOf(member), server];
      expect(await codeOf(updateServer(as(actor, 'owner', 'server.update'), { id, name: 'Meiner' }))).toBe(
        expected,
      );
      expect(await codeOf(deleteServer(as(actor, 'owner', 'server.delete'), { id }))).toBe(expected);
      const key = { name: 'Befehl', proxyId: null, serverId: id, panel: null, uses: 1, minutes: 60 };
      const made = createEnrolmentKey(as(actor, 'operate', 'enrolmentKey.create'), key);
      expect(await codeOf(made)).toBe(expected);
    });
  },
);

describe('an API key', () => {
  it('that is limited reaches the token only with all proxies of the server', async () => {
    for (const [ids, code, sees] of [
      [[first], 'role_missing', [first]],
      [[999_999], 'not_found', null],
      [[first, second], 'served', [first, second]],
      [null, 'served', [first, second]],
    ] as const) {
      const key = keyOf(ids);
      expect([ids, await tokenOf(key)]).toEqual([ids, code]);
      const seen = sees && { proxyIds: sees, mayReadToken: code === 'served' };
      expect(await listOwnServers(as(key, 'view'), { limit: 10, q: undefined })).toEqual(
        seen ? [expect.objectContaining(seen)] : [],
      );
    }
  });

  it('that is limited sees no empty server', async () => {
    const { id } = await createServer(as(actorOf(owner), 'owner', 'server.create'), { name: 'Leer' });
    const key = keyOf([first, second]);
    expect(await codeOf(getServer(as(key, 'view'), { id }))).toBe('not_found');
    expect((await listOwnServers(as(key, 'view'), { limit: 10, q: undefined })).map((one) => one.id)).toEqual(
      [server.id],
    );
  });
});

describe('a token that somebody else has', () => {
  const join = () =>
    createProxy(as(actorOf(owner), 'owner', 'proxy.create'), {
      ...{ serverName: 'Dritter', serverIP: '127.0.0.1', adminPort: 1, customUrl: null, serverId: server.id },
    });
  it.each([
    ['its owner', () => actorOf(owner), false],
    ['its owner’s unlimited key', () => keyOf(null), false],
    ['its owner’s limited key', () => keyOf([first, second]), true],
    ['an administrator', () => actorOf(admin, { isAdmin: true }), true],
    ['a member', () => actorOf(member), true],
  ] as const)('is one that %s has read: %#', async (_who, actor, isShared) => {
    for (const id of [first, second]) await grant(id, 'operate');
    expect(await tokenOf(actor())).toBe('served');
    expect((await sharedAt()) !== null).toBe(isShared);
    expect(await codeOf(join())).toBe(isShared ? 'server_token_shared' : 'served');
  });

  it('is worth nothing after the tunnel is recreated: another proxy may join', async () => {
    await tokenOf(actorOf(admin, { isAdmin: true }));
    await codeOf(recreateServer(as(actorOf(owner), 'operate', 'server.recreate'), { id: server.id }));
    expect(await sharedAt()).toBeNull();
    expect(await codeOf(join())).toBe('served');
  });
});

describe('while a process of the previous version lives', () => {
  const join = { ...{ serverName: 'X', serverIP: '127.0.0.1', adminPort: 1, customUrl: null } };
  const tried = async () => {
    const caller = as(actorOf(owner), 'owner', 'proxy.create');
    return [
      await codeOf(createProxy(caller, { ...join, serverId: server.id })),
      await codeOf(createServer(as(actorOf(owner), 'owner', 'server.create'), { name: 'Neu' })),
      await codeOf(
        updateServer(as(actorOf(owner), 'owner', 'server.update'), { id: server.id, name: 'Neu' }),
      ),
    ];
  };

  it('of proxies, no server is shared or made', async () => {
    // As it calls its sessions.
    const session = await proxies.sql.reserve();
    await session`set application_name = 'talpa'`;
    expect(await tried()).toEqual(['upgrade_running', 'upgrade_running', 'upgrade_running']);
    await session`reset application_name`;
    session.release();
    expect(await tried()).toEqual(['served', 'served', 'served']);
  });

  it('of the edge, likewise, until it has been silent for fifteen seconds', async () => {
    const id = randomUUID();
    await proxies.edgeSql`insert into edges (id, address) values (${id}, 'here:1')`;
    expect(await tried()).toEqual(['upgrade_running', 'upgrade_running', 'upgrade_running']);
    await proxies.edgeSql`update edges set seen_at = now() - interval '16 seconds' where id = ${id}`;
    expect(await tried()).toEqual(['served', 'served', 'served']);
  });
});

describe('a server', () => {
  const call = (audit: AuditAction) => as(actorOf(owner), 'owner', audit);
  it('is none of another user’s to join', async () => {
    const input = {
      serverName: 'X',
      serverIP: '127.0.0.1',
      adminPort: 1,
      customUrl: null,
      serverId: server.id,
    };
    await proxies.sql`insert into users (user_id, username, tier, proxy_limit) values (8, 'ida', 'premium', 9)`;
    expect(await codeOf(createProxy(as(actorOf(member), 'owner', 'proxy.create'), input))).toBe(
      'server_not_found',
    );
  });

  it('is one of at most as many as the user may have proxies', async () => {
    for (const name of ['Zwei', 'Drei']) await createServer(call('server.create'), { name });
    // It knows no newer limit.
    await play('billing.readSubscription', null as unknown as object);
    expect(await codeOf(createServer(call('server.create'), { name: 'Vier' }))).toBe('server_limit_reached');
  });

  it('is deleted when it is empty, and stays with its last proxy once it has a name', async () => {
    const { id } = await createServer(call('server.create'), { name: 'Leer' });
    expect(await codeOf(deleteServer(call('server.delete'), { id: server.id }))).toBe('server_not_empty');
    expect(await codeOf(deleteServer(call('server.delete'), { id }))).toBe('served');
    expect(await updateServer(call('server.update'), { id: server.id, name: 'Keller' })).toMatchObject({
      ...{ name: 'Keller', kind: 'machine' },
    });
    const stale = { id: server.id, name: 'Dach', expected: { name: 'Server' } };
    expect(await codeOf(updateServer(call('server.update'), stale))).toBe('edit_conflict');
  });
});
