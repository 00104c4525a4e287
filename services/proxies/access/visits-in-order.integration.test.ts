import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { routes } from '@talpa/contracts';
import type { TransactionSql } from '@talpa/service-kit/database/sql';
import { actorOf } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';
import type { ProxiesContext } from '../context.ts';
import { projectUser } from '../users/projection.ts';
import { createAccessCode } from './create-code.ts';
import { endAllVisits } from './end-visit.ts';
import { endVisitsOf } from './end-visits.ts';
import { createServiceToken } from './service-tokens.ts';

const verbs = useVerbs(useStores(), 'proxies', { withEdge: true });
const sha256 = (text: string) => createHash('sha256').update(text).digest();
let users = 100;

const contextOf = (userId: number, publicPort = 80, isAdmin = false) => {
  const actor = actorOf(userId, { isAdmin });
  const settings = { TUNNEL_PUBLIC_PORT: publicPort, TUNNEL_PROVIDER: 'embedded' };
  const call = { ...verbs.call(actor, 'proxy.endAllVisits'), role: 'manage', settings };
  return call as unknown as ProxiesContext & { actor: typeof actor };
};

/** A proxy behind a wall, with a member, and a code that a sign-in of theirs has made. */
async function newProxy() {
  users += 2;
  const [owner, member] = [users, users + 1];
  const { sql, edgeSql } = verbs;
  const [uuid, session, code, state] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const host = `${uuid}.tunnel.localhost`;
  const [row] = await sql<{ id: number }[]>`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    values (${uuid}, ${owner}, 'Server', '203.0.113.7', 1, ${host}, 443, 'active') returning id`;
  const id = row?.id ?? 0;
  const policy = { kind: 'wall', rules: [], require: 'any', methods: ['member', 'pin', 'email'], days: 7 };
  await sql`insert into hostnames (hostname, proxy_uuid) values (${host}, ${uuid})`;
  await sql`
    insert into access_policies (proxy_uuid, policy, emails) values (${uuid}, ${sql.json(policy)}, '{mara@example.com}')`;
  await sql`insert into users (user_id) values (${member})`;
  await sql`insert into members (proxy_id, user_id, role, joined_at) values (${id}, ${member}, 'view', now())`;
  await sql`
    insert into access_codes (code_hash, proxy_uuid, host, state_hash, user_id, auth_session, method, as_admin)
    values (${sha256(code)}, ${uuid}, ${host}, ${sha256(state)}, ${member}, ${session}, 'member', false)`;
  await sql`
    insert into access_email_codes (proxy_uuid, policy_version, address, host, language, state_hash, code_hash)
    values (${uuid}, 1, 'mara@example.com', ${host}, 'de', ${sha256(state)}, sha256(${sha256(state)} || '123456'::bytea))`;
  const who = { address: '192.0.2.1', agent: 'test' };
  return {
    ...{ uuid, id, host, owner, member, session },
    byPin: (on: TransactionSql) => on`
      select proxies.pass_access_secret(${uuid}, 1, 'pin', ${randomBytes(32)}, null, ${who.address}, ${who.agent}) as ends`,
    bySignIn: (on: TransactionSql | typeof edgeSql) => on<{ ends: Date | null }[]>`
      select proxies.redeem_access_code(${sha256(code)}, ${host}, ${sha256(state)}, ${randomBytes(32)}, null, ${who.address},
        ${who.agent}) as ends`,
    byEmail: (on: TransactionSql | typeof edgeSql) => on<{ ends: Date | null }[]>`
      select proxies.redeem_access_email(${uuid}, ${host}, ${sha256(state)}, '123456', ${randomBytes(32)}, null, ${who.address},
        ${who.agent}) as ends`,
    visits: async () => (await sql`select 1 from visits where proxy_uuid = ${uuid}`).length,
    codes: async () => (await sql`select 1 from access_codes where proxy_uuid = ${uuid}`).length,
  };
}
type Proxy = Awaited<ReturnType<typeof newProxy>>;

/** Something waits for a lock. */
const waits = () =>
  until('the wait for a lock', async () => {
    const rows = await verbs.sql`
      select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
    return rows.length > 0;
  });

/** What happens while a visit has begun and is not committed yet. */
async function beside(begin: (on: TransactionSql) => Promise<unknown>, work: () => Promise<unknown>) {
  let done: Promise<unknown> = Promise.resolve();
  await verbs.edgeSql.begin(async (tx) => {
    await begin(tx);
    done = work();
    await Promise.race([done, waits()]);
  });
  await done;
}

const ends: readonly (readonly [string, (proxy: Proxy) => Promise<unknown>])[] = [
  [
    'the membership ends',
    ({ id, member }) =>
      verbs.sql`delete from members where proxy_id = ${id} and user_id = ${member}`.execute(),
  ],
  [
    'the user is suspended',
    ({ member }) => verbs.sql`update users set suspended_at = now() where user_id = ${member}`.execute(),
  ],
  [
    'the session at Talpa ends',
    ({ member, session }) =>
      endVisitsOf(verbs.sql, {
        ...{ userId: member, sessionId: session, except: null, at: new Date().toISOString() },
      }),
  ],
  ['all visits are ended', ({ id, owner }) => endAllVisits(contextOf(owner), { id })],
];

it.each(ends)('a visit that begins while %s ends with it', async (_, end) => {
  const proxy = await newProxy();
  await beside(proxy.bySignIn, () => end(proxy));
  expect([await proxy.visits(), await proxy.codes()]).toEqual([0, 0]);
});

it('somebody who is no administrator any more visits nothing as one, with a code of before either', async () => {
  for (const isRedeemed of [true, false]) {
    const proxy = await newProxy();
    const { member: id } = proxy;
    await verbs.sql`update access_codes set method = 'owner', as_admin = true where proxy_uuid = ${proxy.uuid}`;
    const user = { id, username: `u${id}`, isAdmin: false, deleted: false, suspension: null, version: 1_000 };
    const end = () => verbs.transaction((tx) => projectUser(tx, user as never));
    if (isRedeemed) await beside(proxy.bySignIn, end);
    else await end();
    expect([await proxy.visits(), await proxy.codes()]).toEqual([0, 0]);
  }
});

it('a service token that an administrator has made goes with their rights or their account, and with no membership', async () => {
  const proxy = await newProxy();
  const { id, member: admin, owner, uuid } = proxy;
  const make = (userId: number, isAdmin: boolean) =>
    createServiceToken(contextOf(userId, 80, isAdmin), { id, name: `of ${userId}`, days: null });
  const names = async () => {
    const rows = await verbs.sql<{ name: string }[]>`
      select name from service_tokens where proxy_uuid = ${uuid} order by id`;
    return rows.map(({ name }) => name);
  };
  await make(owner, true);
  await make(admin, true);
  await verbs.sql`delete from members where proxy_id = ${id} and user_id = ${admin}`;
  expect(await names()).toEqual([`of ${owner}`, `of ${admin}`]);
  const demote = (user: number, version: number) => {
    const event = {
      id: user,
      username: `u${user}`,
      isAdmin: false,
      deleted: false,
      suspension: null,
      version,
    };
    return verbs.transaction((tx) => projectUser(tx, event as never));
  };
  await demote(admin, 1_000);
  await demote(owner, 1_000);
  expect(await names()).toEqual([`of ${owner}`]);
  await make(admin, true);
  await verbs.sql`update users set suspended_at = now() where user_id = ${admin}`;
  expect(await names()).toEqual([`of ${owner}`]);
});

it('a visit by PIN or email that begins while all are ended ends with them', async () => {
  for (const way of ['byPin', 'byEmail'] as const) {
    const proxy = await newProxy();
    await beside(proxy[way], () => endAllVisits(contextOf(proxy.owner), { id: proxy.id }));
    expect(await proxy.visits()).toBe(0);
  }
});

it('a policy that is saved while a code is redeemed is saved, and the code opens nothing', async () => {
  for (const way of ['bySignIn', 'byEmail'] as const) {
    const proxy = await newProxy();
    let redeemed: Promise<{ ends: Date | null }[]> | undefined;
    await verbs.sql.begin(async (tx) => {
      await tx`select 1 from access_policies where proxy_uuid = ${proxy.uuid} for update`;
      redeemed = proxy[way](verbs.edgeSql).execute();
      await waits();
      await tx`update access_policies set version = version + 1 where proxy_uuid = ${proxy.uuid}`;
    });
    expect((await redeemed)?.[0]?.ends).toBeNull();
    expect(await proxy.visits()).toBe(0);
  }
});

it('a membership that is being ended makes no code for the wall', async () => {
  const proxy = await newProxy();
  const ask = { host: proxy.host, state: 'A'.repeat(43) };
  let made: Promise<unknown> | undefined;
  await verbs.sql.begin(async (tx) => {
    await tx`select 1 from proxies where id = ${proxy.id} for update`;
    await tx`delete from members where proxy_id = ${proxy.id}`;
    made = createAccessCode(contextOf(proxy.member), ask).catch((error: unknown) => error);
    await Promise.race([made, waits()]);
  });
  expect(await made).toMatchObject({ code: 'visit_refused' });
  expect(await proxy.codes()).toBe(0);
});

it('a code for the wall travels to the address of the installation alone, whatever the link to the panel said', async () => {
  const { host, owner } = await newProxy();
  const urlFor = async (asked: string, publicPort: number) => {
    const input = routes['POST /api/access-codes'].input.safeParse({ host: asked, state: 'A'.repeat(43) });
    if (!input.success) return null;
    return new URL((await createAccessCode(contextOf(owner, publicPort), input.data)).url).origin;
  };
  expect(await urlFor(host, 443)).toBe(`https://${host}`);
  expect(await urlFor(host.toUpperCase(), 8081)).toBe(`http://${host}:8081`);
  for (const asked of [
    `${host}:25616`,
    `http://${host}:25616`,
    `${host}/x`,
    `x@${host}`,
    `${host}#`,
    `${host}.`,
    '',
  ])
    expect(await urlFor(asked, 443)).toBeNull();
});

it('a name that leaves a proxy ends the codes that were made for it, and no others', async () => {
  const codesAt = async (host: string) => {
    const count = async (table: string) =>
      (await verbs.sql`select 1 from ${verbs.sql(table)} where host = ${host}`).length;
    return (await count('access_codes')) + (await count('access_email_codes'));
  };
  const ways: Record<string, (host: string, other: string) => Promise<unknown>> = {
    'is no longer served': (host) => verbs.sql`update domains set served = false where host = ${host}`,
    'is removed': (host) => verbs.sql`update domains set removed_at = now() where host = ${host}`,
    'is deleted': (host) => verbs.sql`delete from domains where host = ${host}`,
    'subdomain is given back': (_, host) => verbs.sql`delete from hostnames where hostname = ${host}`,
    'subdomain goes to another proxy': async (_, host) => {
      const { uuid } = await newProxy();
      await verbs.sql`update hostnames set proxy_uuid = ${uuid} where hostname = ${host}`;
    },
  };
  for (const [way, leave] of Object.entries(ways)) {
    const { id, host, owner, uuid } = await newProxy();
    const own = `${randomUUID()}.example.com`;
    await verbs.sql`
      insert into domains (proxy_id, user_id, host, token, state, served, held)
      values (${id}, ${owner}, ${own}, 'x', 'verified', true, true)`;
    for (const one of [own, host]) {
      await createAccessCode(contextOf(owner), { host: one, state: 'A'.repeat(43) });
      await verbs.sql`
        insert into access_email_codes (proxy_uuid, policy_version, address, host, language, state_hash)
        values (${uuid}, 1, 'mara@example.com', ${one}, 'de', ${sha256(randomUUID())})`;
    }
    await verbs.sql`update domains set checked_at = now() where host = ${own}`;
    const [left, stays] = way.startsWith('subdomain') ? [host, own] : [own, host];
    expect([(await codesAt(left)) > 1, (await codesAt(stays)) > 1]).toEqual([true, true]);
    await leave(own, host);
    expect([way, await codesAt(left)]).toEqual([way, 0]);
    expect(await codesAt(stays)).toBeGreaterThan(1);
  }
});
