import { randomUUID } from 'node:crypto';
import type { AccessPolicy, WallMethod } from '@talpa/contracts';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const own = useServices(useStores(), ['proxies']);
const elsewhere = useServices(useStores(), ['proxies'], { TUNNEL_PROVIDER: 'cloudflare' });
const allowNone: AccessPolicy = { kind: 'rules', rules: [], otherwise: 'deny' };
const german: AccessPolicy = {
  kind: 'rules',
  otherwise: 'deny',
  rules: [
    { action: 'continue', match: { by: 'path', path: '/admin' }, expiresAt: null },
    { action: 'allow', match: { by: 'country', country: 'DE' }, expiresAt: null },
  ],
};
let users = 100;

async function newProxy(on: typeof own) {
  users += 1;
  const actor = actorOf(users);
  const uuid = randomUUID();
  const hostname = `${uuid}.tunnel.localhost`;
  const [row] = await on.sql<{ id: number }[]>`
    insert into proxies.proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    values (${uuid}, ${actor.userId}, 'Server', '127.0.0.1', 1, ${hostname}, 80, 'active') returning id`;
  await on.sql`insert into proxies.hostnames (hostname, proxy_uuid) values (${hostname}, ${uuid})`;
  return { actor, id: row?.id ?? 0, uuid, hostname };
}

it('a new policy is stored, sent to the edges with the names of its proxy, and in the activity log', async () => {
  const { actor, id, uuid, hostname } = await newProxy(own);
  const received: string[] = [];
  await own.sql.listen('edge', (payload) => void received.push(payload));
  expect(await own.call('GET /api/tunnel-configs/:id/access', actor, { id })).toMatchObject({
    ...{ policy: { kind: 'open' }, available: true, address: '192.0.2.1' },
  });
  await own.call('PUT /api/tunnel-configs/:id/access', actor, { id, policy: german });
  expect((await own.call('GET /api/tunnel-configs/:id/access', actor, { id })).policy).toEqual(german);
  await until('the edges to be notified', () => received.length === 1);
  expect(received).toEqual([`host ${hostname}`]);
  await own.call('PUT /api/tunnel-configs/:id/access', actor, { id, policy: { kind: 'open' } });
  await until('the edges to be notified', () => received.length === 2);
  expect(await own.sql`select 1 from proxies.access_policies where proxy_uuid = ${uuid}`).toEqual([]);
  const [row] = await own.audited('proxies', actor.userId, 'proxy.setAccess');
  expect(row?.changes).toEqual({
    access: { from: 'open', to: 'rules' },
    rules: { from: null, to: 'continue /admin, allow DE' },
    otherwise: { from: null, to: 'deny' },
  });
});

it('a test of the policy says what the edge would do, by which rule', async () => {
  const { actor, id } = await newProxy(own);
  await own.call('PUT /api/tunnel-configs/:id/access', actor, { id, policy: german });
  const judge = (address: string, path?: string) =>
    own.call('GET /api/tunnel-configs/:id/access/verdict', actor, { id, address, path });
  expect(await judge('85.214.132.117')).toEqual({
    ...{ outcome: 'allow', reason: 'rule', rule: 2, country: 'DE' },
  });
  expect(await judge('1.1.1.1', '/')).toMatchObject({ outcome: 'deny', reason: 'no_rule', country: 'AU' });
  expect(await judge('85.214.132.117', '/admin/x?y=1')).toMatchObject({ outcome: 'deny', reason: 'no_rule' });
  expect(await judge('85.214.132.117', '/%61dmin')).toMatchObject({
    outcome: 'deny',
    reason: 'ambiguous_path',
  });
});

it('a policy changed meanwhile is not overwritten by an edit of the one before', async () => {
  const { actor, id } = await newProxy(own);
  const set = (policy: AccessPolicy, expected?: AccessPolicy) =>
    own.call('PUT /api/tunnel-configs/:id/access', actor, { id, policy, expected });
  await set(german, { kind: 'open' });
  await expect(set(allowNone, { kind: 'open' })).rejects.toThrow('edit_conflict');
  expect((await own.call('GET /api/tunnel-configs/:id/access', actor, { id })).policy).toEqual(german);
  await set(allowNone, german);
});

it('a policy that is malformed is refused and changes nothing', async () => {
  const { actor, id } = await newProxy(own);
  await own.call('PUT /api/tunnel-configs/:id/access', actor, { id, policy: allowNone });
  const rule = german.kind === 'rules' && german.rules[1];
  const malformed = [
    { kind: 'strange' },
    { kind: 'rules', rules: [], otherwise: 'perhaps' },
    { ...german, rules: [{ ...rule, match: { by: 'address', network: '192.0.2.0/33' } }] },
    { ...german, rules: [{ ...rule, match: { by: 'path', path: '/a/../b' } }] },
    { ...german, rules: [{ ...rule, match: { by: 'country', country: 'Deutschland' } }] },
    { ...german, rules: Array(51).fill(rule) },
  ] as unknown as AccessPolicy[];
  for (const policy of malformed)
    await expect(own.call('PUT /api/tunnel-configs/:id/access', actor, { id, policy })).rejects.toThrow();
  expect((await own.call('GET /api/tunnel-configs/:id/access', actor, { id })).policy).toEqual(allowNone);
});

it('with Cloudflare as the provider a policy is refused, never kept without effect', async () => {
  const { actor, id, uuid } = await newProxy(elsewhere);
  await expect(
    elsewhere.call('PUT /api/tunnel-configs/:id/access', actor, { id, policy: allowNone }),
  ).rejects.toThrow('access_unavailable');
  expect(await elsewhere.call('GET /api/tunnel-configs/:id/access', actor, { id })).toMatchObject({
    ...{ policy: { kind: 'open' }, available: false },
  });
  expect(await elsewhere.sql`select 1 from proxies.access_policies where proxy_uuid = ${uuid}`).toEqual([]);
});

it('no proxy is created protected where nothing would enforce that', async () => {
  for (const [on, code] of [
    [own, 'access_sign_in_unavailable'],
    [elsewhere, 'access_unavailable'],
  ] as const) {
    users += 1;
    const actor = actorOf(users);
    await on.sql`insert into proxies.users (user_id, username, proxy_limit) values (${users}, ${`max${users}`}, 5)`;
    const input = { serverName: 'Server', serverIP: '127.0.0.1', adminPort: 1, customUrl: `neu-${users}` };
    await expect(
      on.call('POST /api/tunnel-configs', actor, { ...input, access: 'protected' }),
    ).rejects.toThrow(code);
    expect(await on.sql`select 1 from proxies.proxies where user_id = ${users}`).toEqual([]);
  }
});

const wall = (methods: WallMethod[], emails: string[] = []): AccessPolicy => ({
  ...{ kind: 'wall', methods, require: 'any', rules: [], days: 7, emails, preflights: false },
});

it('a wall keeps its PIN hashed, shows nobody what it is, and is refused without one', async () => {
  const { actor, id, uuid } = await newProxy(own);
  const set = (policy: AccessPolicy, secrets: { pin?: string; password?: string } = {}) =>
    own.call('PUT /api/tunnel-configs/:id/access', actor, { id, policy, ...secrets });
  await expect(set(wall(['pin']))).rejects.toThrow('invalid_input');
  await expect(set(wall(['pin']), { pin: '12345' })).rejects.toThrow();
  await expect(set(wall(['member']))).rejects.toThrow('access_sign_in_unavailable');
  expect(await set(wall(['pin']), { pin: '493817' })).toMatchObject({
    secrets: { pin: true, password: false },
  });
  const [row] = await own.sql<{ pinHash: string }[]>`
    select pin_hash from proxies.access_policies where proxy_uuid = ${uuid}`;
  expect(row?.pinHash).toMatch(/^\$argon2id\$/);
  const rows = await own.audited('proxies', actor.userId, 'proxy.setAccess');
  expect(JSON.stringify(rows)).not.toContain('493817');
  expect(rows.at(-1)?.changes).toMatchObject({ pin: {}, methods: { to: 'pin' } });
  // A later change keeps it.
  expect(await set({ ...wall(['pin']), days: 1 } as AccessPolicy)).toMatchObject({ secrets: { pin: true } });
});

it('those who may manage the proxy see who is in, without secret and address, and end one or all at once', async () => {
  const [{ actor, id, uuid, hostname }, other] = [await newProxy(own), await newProxy(own)];
  const member = actorOf(actor.userId + 2_000);
  await own.sql`insert into proxies.users (user_id, username) values (${member.userId}, ${`mara${id}`})`;
  await own.sql`
    insert into proxies.members (proxy_id, user_id, role, joined_at) values (${id}, ${member.userId}, 'operate', now())`;
  const policy = { ...wall(['pin', 'password']), require: 'all' } as AccessPolicy;
  const secrets = { pin: '493817', password: 'lang-genug-123' };
  for (const one of [{ actor, id }, other])
    await own.call('PUT /api/tunnel-configs/:id/access', one.actor, { id: one.id, policy, ...secrets });
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const begin = async (proxy: string, methods: string[], userId: number | null, until = '1 day') => {
    const [row] = await own.sql<{ id: string }[]>`
      insert into proxies.visits (proxy_uuid, token_hash, policy_version, methods, user_id, address, user_agent,
        expires_at)
      select proxy_uuid, sha256(gen_random_uuid()::text::bytea), version, ${methods}, ${userId}, '192.0.2.77', ${agent},
        now() + ${until}::interval from proxies.access_policies where proxy_uuid = ${proxy} returning id`;
    return row?.id ?? '';
  };
  const first = await begin(uuid, ['pin', 'password'], null);
  const second = await begin(uuid, ['owner'], member.userId);
  // Not in yet, and not any more.
  await begin(uuid, ['pin'], null);
  await begin(uuid, ['pin', 'password'], null, '-1 second');
  const foreign = await begin(other.uuid, ['pin', 'password'], null);
  const list = (who: typeof actor) => own.call('GET /api/tunnel-configs/:id/visits', who, { id });
  const seen = await list(actor);
  expect(seen).toEqual({
    count: 2,
    visits: [
      expect.objectContaining({ id: second, methods: ['owner'], username: `mara${id}`, agent: 'firefox' }),
      expect.objectContaining({ id: first, userId: null, username: null, network: '192.0.2.0/24' }),
    ],
  });
  expect(JSON.stringify(seen)).not.toMatch(/192\.0\.2\.77|token|Mozilla/);
  const end = (visitId: string, who = actor) =>
    own.call('DELETE /api/tunnel-configs/:id/visits/:visitId', who, { id, visitId });
  await expect(list(member)).rejects.toThrow('role_missing');
  await expect(end(first, member)).rejects.toThrow('role_missing');
  await expect(end(foreign)).rejects.toThrow('visit_not_found');
  const received: string[] = [];
  await own.sql.listen('edge', (payload) => void received.push(payload));
  await end(second);
  await until('the edges to be notified', () => received.includes(`host ${hostname}`));
  await expect(end(second)).rejects.toThrow('visit_not_found');
  expect((await list(actor)).visits.map((one) => one.id)).toEqual([first]);
  await own.call('DELETE /api/tunnel-configs/:id/visits', actor, { id });
  expect(await list(actor)).toEqual({ count: 0, visits: [] });
  expect((await own.call('GET /api/tunnel-configs/:id/visits', other.actor, { id: other.id })).count).toBe(1);
  // Also by hand, by a role with another search path.
  await own.sql`delete from proxies.visits where id = ${foreign}`;
  await until('the edges to be notified', () => received.includes(`host ${other.hostname}`));
  const rows = [
    ...(await own.audited('proxies', actor.userId, 'proxy.endVisit')),
    ...(await own.audited('proxies', actor.userId, 'proxy.endAllVisits')),
  ];
  expect(rows.map(({ changes }) => changes)).toEqual([
    { username: { from: `mara${id}` }, methods: { from: 'owner' } },
    { visits: { from: 1 } },
  ]);
});

it('a service token is shown once, kept hashed, bounded in number, and goes with the member who made it', async () => {
  const { actor, id, uuid } = await newProxy(own);
  const member = actorOf(actor.userId + 3_000);
  const join = () => own.sql`
    insert into proxies.members (proxy_id, user_id, role, joined_at, member_until)
    values (${id}, ${member.userId}, 'manage', now(), now() + interval '1 day')`;
  await own.sql`insert into proxies.users (user_id) values (${member.userId})`;
  await join();
  const create = (who: typeof actor, days: number | null = null) =>
    own.call('POST /api/tunnel-configs/:id/service-tokens', who, { id, name: 'Bot', days });
  const list = () => own.call('GET /api/tunnel-configs/:id/service-tokens', actor, { id });
  const { token, secret } = await create(actor);
  expect(secret).toMatch(/^talpa_st_[\w-]{43}$/);
  expect(token.expiresAt).toBeNull();
  // No longer than its maker is a member.
  const theirs = await create(member, 30);
  expect(Date.parse(theirs.token.expiresAt ?? '')).toBeLessThan(Date.now() + 25 * 3_600_000);
  const seen = await list();
  expect(seen.map((one) => one.id)).toEqual([token.id, theirs.token.id]);
  const stored = await own.sql`select * from proxies.service_tokens where proxy_uuid = ${uuid}`;
  const rows = await own.audited('proxies', actor.userId, 'proxy.createServiceToken');
  expect(rows[0]?.changes).toEqual({ serviceToken: { to: 'Bot' } });
  for (const one of [seen, stored, rows]) expect(JSON.stringify(one)).not.toContain(secret.slice(9));
  await own.sql`delete from proxies.members where proxy_id = ${id}`;
  expect((await list()).map((one) => one.id)).toEqual([token.id]);
  await join();
  await create(member);
  await own.sql`update proxies.users set suspended_at = now() where user_id = ${member.userId}`;
  expect((await list()).map((one) => one.id)).toEqual([token.id]);
  const revoke = (tokenId: number, of = { actor, id }) =>
    own.call('DELETE /api/tunnel-configs/:id/service-tokens/:tokenId', of.actor, { id: of.id, tokenId });
  await expect(revoke(token.id, await newProxy(own))).rejects.toThrow('service_token_not_found');
  await revoke(token.id);
  await expect(revoke(token.id)).rejects.toThrow('service_token_not_found');
  for (let made = 0; made < 20; made += 1) await create(actor);
  await expect(create(actor)).rejects.toThrow('service_token_limit');
});

it('visits end with a new policy, with the membership, the suspension or deletion of the user, and the session that began them', async () => {
  const { actor, id, uuid } = await newProxy(own);
  const set = () =>
    own.call('PUT /api/tunnel-configs/:id/access', actor, { id, policy: wall(['pin']), pin: '493817' });
  const session = randomUUID();
  const user = actor.userId + 1_000;
  await own.sql`insert into proxies.users (user_id) values (${user})`;
  const begin = async (method: string) => {
    await own.sql`
      insert into proxies.visits (proxy_uuid, token_hash, policy_version, methods, user_id, auth_session, address,
        user_agent, expires_at)
      select proxy_uuid, sha256(gen_random_uuid()::text::bytea), version, array[${method}], ${user}, ${session},
        '192.0.2.1', 'test', now() + interval '1 day' from proxies.access_policies where proxy_uuid = ${uuid}`;
    expect(await count()).toBe(1);
  };
  const count = async () => (await own.sql`select 1 from proxies.visits where proxy_uuid = ${uuid}`).length;
  await set();
  await begin('member');
  await set();
  expect(await count()).toBe(0);
  await own.sql`
    insert into proxies.members (proxy_id, user_id, role, joined_at) values (${id}, ${user}, 'view', now())`;
  await begin('member');
  await own.sql`delete from proxies.members where proxy_id = ${id}`;
  expect(await count()).toBe(0);
  await begin('owner');
  await own.sql`update proxies.users set suspended_at = now() where user_id = ${user}`;
  expect(await count()).toBe(0);
  await own.sql`update proxies.users set suspended_at = null where user_id = ${user}`;
  await begin('owner');
  await own.sql`update proxies.users set closed = true where user_id = ${user}`;
  expect(await count()).toBe(0);
  await begin('owner');
  await own.publishStored('command.proxies.endVisits', {
    ...{ userId: user, sessionId: session, except: null, at: new Date().toISOString() },
  });
  await until('the visit to end', async () => (await count()) === 0);
});

it('a code to pass, and whose wall it is, is for those alone who may visit the proxy; to others there is no such host', async () => {
  const { actor, id, hostname } = await newProxy(own);
  const ask = async (who: typeof actor, host = hostname) => {
    const looked = own.call('GET /api/walls/:host', who, { host });
    const asked = own.call('POST /api/access-codes', who, { host, state: 'A'.repeat(43) });
    const [wall, code] = await Promise.allSettled([looked, asked]);
    expect(wall.status).toBe(code.status);
    return { ...(await looked), url: (await asked).url };
  };
  await expect(ask(actor)).rejects.toThrow('visit_refused');
  await own.call('PUT /api/tunnel-configs/:id/access', actor, { id, policy: wall(['pin']), pin: '493817' });
  const { url, ...mine } = await ask(actor);
  expect(mine).toEqual({ as: 'owner', serverName: 'Server', ownerName: null });
  expect(url).toMatch(new RegExp(`^http://${hostname}:8081/\\.talpa/access/return\\?code=[\\w-]{43}$`));
  await expect(ask(actorOf(actor.userId + 5_000))).rejects.toThrow('visit_refused');
  await expect(ask(actor, 'panel.example.org')).rejects.toThrow('visit_refused');
  expect(await ask(actorOf(1, { isAdmin: true }))).toMatchObject({ as: 'administrator' });
});
