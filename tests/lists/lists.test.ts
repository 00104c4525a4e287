import { randomUUID } from 'node:crypto';
import type { RouteName } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invalidateCache } from './invalidate-cache.ts';

const system = useTalpa();
let sql: Sql;
let admin: Client;
beforeAll(async () => {
  sql = openDatabase(system.talpa.stores.adminUrl, 2);
  admin = await system.admin();
});
afterAll(() => sql?.end());

/** Proxies that were set up long ago: settled, so that nobody works on them. */
async function settledProxies(userId: number, names: readonly string[], status = 'inactive') {
  for (const name of names)
    await sql`
      insert into proxies.proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port,
        status, applied_generation)
      values (gen_random_uuid(), ${userId}, ${name}, '127.0.0.1', 40120, ${`${randomUUID()}.example.com`}, 8081,
        ${status}, 1)`;
  await invalidateCache(system.talpa.stores, userId);
}

interface Row {
  readonly id: number;
  readonly serverName: string;
}

/** One page by its address. */
async function page(client: Client, address: string) {
  const { status, body, headers } = await client.send('GET', address);
  if (status !== 200) throw new Error(`${address} returned ${status}: ${JSON.stringify(body)}`);
  const next = headers.get('link')?.match(/^<(\/[^>]+)>; rel="next"$/)?.[1] ?? null;
  return { rows: body as Row[], next, total: headers.get('x-total-count') };
}

/** Every page from an address on; `between` is done after each. */
async function walk(client: Client, address: string, between = async () => {}) {
  const rows: Row[] = [];
  for (let next: string | null = address; next !== null; ) {
    const one: Awaited<ReturnType<typeof page>> = await page(client, next);
    rows.push(...one.rows);
    next = one.next;
    await between();
  }
  return rows;
}

const list = '/api/tunnel-configs';
const numbered = Array.from({ length: 23 }, (_, at) => `srv${at + 1}`);

describe('a list', () => {
  it('is plain without a query, in the order of creation, and says how many there are', async () => {
    const { client, user } = await newUser(system.url);
    await settledProxies(user.id, numbered);
    const { rows, next, total } = await page(client, list);
    expect(rows.map((row) => row.serverName)).toEqual(numbered);
    expect([next, total]).toEqual([null, '23']);
  });

  it.each(['createdAt', '-createdAt', 'serverName', '-serverName'])(
    'walked by %s shows every row once and in order, equal names too, whatever is created or deleted meanwhile',
    async (sort) => {
      const { client, user } = await newUser(system.url);
      await settledProxies(user.id, [...numbered, 'srv7', 'srv7', 'srv7']);
      const before = await walk(client, `${list}?limit=4&sort=${sort}`);
      expect(new Set(before.map((row) => row.id)).size).toBe(26);
      const byName = before.map((row) => row.serverName);
      if (sort === 'serverName')
        expect(byName.slice(0, 10).join()).toBe('srv1,srv2,srv3,srv4,srv5,srv6,srv7,srv7,srv7,srv7');
      if (sort === '-createdAt') expect(byName.slice(0, 4)).toEqual(['srv7', 'srv7', 'srv7', 'srv23']);

      let count = 0;
      const during = await walk(client, `${list}?limit=4&sort=${sort}`, async () => {
        count += 1;
        await sql`
          update proxies.proxies set removed_at = now() where user_id = ${user.id} and server_name = 'srv23'`;
        await settledProxies(user.id, [`srv0 ${count}`, `srv99 ${count}`]);
      });
      const kept = during.filter((row) => numbered.slice(0, 22).includes(row.serverName));
      expect(kept).toHaveLength(25);
      expect(new Set(during.map((row) => row.id)).size).toBe(during.length);
    },
  );

  it('keeps the search and the order in its link, and counts what was found', async () => {
    const { client, user } = await newUser(system.url);
    await settledProxies(user.id, [...numbered, 'Ähre 100%', 'a_b', 'İstanbul']);
    const { rows, next, total } = await page(client, `${list}?limit=2&sort=-serverName&q=SRV1`);
    expect(rows.map((row) => row.serverName)).toEqual(['srv19', 'srv18']);
    expect(total).toBe('11');
    expect(Object.fromEntries(new URL(next ?? '', system.url).searchParams)).toMatchObject({
      limit: '2',
      sort: '-serverName',
      q: 'SRV1',
    });
    expect(
      (await walk(client, `${list}?limit=2&sort=-serverName&q=SRV1`)).map((row) => row.serverName),
    ).toHaveLength(11);
    const found = async (q: string) =>
      (await page(client, `${list}?q=${encodeURIComponent(q)}`)).rows.map((row) => row.serverName);
    expect(await found('ähre')).toEqual(['Ähre 100%']);
    expect(await found('00%')).toEqual(['Ähre 100%']);
    expect(await found('%_')).toEqual([]);
    expect(await found('a_')).toEqual(['a_b']);
    for (const q of ['İstanbul', 'İs', 'STANBUL']) expect(await found(q)).toEqual(['İstanbul']);
    expect(await found('  ')).toHaveLength(26);
  });

  it('of all proxies is filtered by owner and status; a person’s own never shows another’s', async () => {
    const [one, other] = [await newUser(system.url), await newUser(system.url)];
    await settledProxies(one.user.id, ['eins', 'zwei']);
    await settledProxies(one.user.id, ['drei'], 'error');
    await settledProxies(other.user.id, ['vier'], 'error');
    const names = async (client: Client, address: string) =>
      (await page(client, address)).rows.map((row) => row.serverName);
    expect(await names(admin, `/api/admin/tunnel-configs?userId=${one.user.id}&status=error`)).toEqual([
      'drei',
    ]);
    expect(await names(admin, '/api/admin/tunnel-configs?status=error')).toEqual(
      expect.arrayContaining(['drei', 'vier']),
    );
    await expect(names(other.client, `${list}?userId=${one.user.id}`)).rejects.toThrow('"userId"');
    expect(await names(other.client, list)).toEqual(['vier']);
    expect(await names(other.client, `${list}?q=eins`)).toEqual([]);
  });

  it('of all proxies names each owner as they are called now, and is searched by that name', async () => {
    const { client, user } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    expect(proxy.ownerName).toBe(user.username);
    const ownersFound = async (q: string) =>
      (await admin.call('GET /api/admin/tunnel-configs', { q })).map(({ ownerName }) => ownerName);
    const { id, isAdmin, proxyLimit, subscriptionTier } = user;
    const username = `neu-${randomUUID().slice(0, 8)}`;
    await admin.call('PUT /api/admin/users/:id', { id, username, isAdmin, proxyLimit, subscriptionTier });
    expect(await ownersFound(username)).toEqual([username]);
    expect(await ownersFound(user.username)).toEqual([]);
    expect((await admin.call('GET /api/tunnel-configs/:id', { id: proxy.id })).ownerName).toBe(username);
    expect(await client.call('GET /api/tunnel-configs', { q: username })).toEqual([]);
  });

  it('of users is filtered by the plan they are on now, also after it has run out', async () => {
    const [basic, gone] = [await newUser(system.url, 'basic'), await newUser(system.url, 'basic')];
    const { user: none } = await newUser(system.url);
    const ids = async (tier: string) =>
      (await walk(admin, `/api/admin/users?tier=${tier}&limit=3`)).map((row) => row.id);
    expect(await ids('basic')).toEqual(expect.arrayContaining([basic.user.id, gone.user.id]));
    expect(await ids('none')).toContain(none.id);
    await sql`update auth.entitlements set expires_at = now() where user_id = ${gone.user.id}`;
    await until('the plan that ran out is the free one', async () =>
      (await ids('free')).includes(gone.user.id),
    );
    expect(await ids('basic')).not.toContain(gone.user.id);
  });

  it('of users is filtered by role and by suspension', async () => {
    const [one, other] = [await newUser(system.url), await newUser(system.url)];
    await admin.call('POST /api/admin/users/:id/suspension', { id: one.user.id, reason: 'Spam' });
    const me = await admin.call('GET /api/user', {});
    const ids = async (query: string) =>
      (await walk(admin, `/api/admin/users?${query}&sort=username&limit=3`)).map((row) => row.id);
    expect(await ids('role=admin')).toEqual([me.id]);
    expect(await ids('role=user')).toEqual(expect.arrayContaining([one.user.id, other.user.id]));
    expect(await ids('role=user')).not.toContain(me.id);
    expect(await ids('state=suspended')).toEqual([one.user.id]);
    const active = await ids('state=active');
    expect(active).toEqual(expect.arrayContaining([me.id, other.user.id]));
    expect(active).not.toContain(one.user.id);
    expect(await ids('role=admin&state=suspended')).toEqual([]);
  });

  const faulty: [RouteName, string, string][] = [
    ['GET /api/tunnel-configs', 'cursor=nonsense', 'cursor'],
    [
      'GET /api/tunnel-configs',
      `cursor=${Buffer.from('["serverName","x\u0000",1]').toString('base64url')}&sort=serverName`,
      'cursor',
    ],
    [
      'GET /api/tunnel-configs',
      `cursor=${Buffer.from('["serverName","x",1]').toString('base64url')}`,
      'cursor',
    ],
    [
      'GET /api/tunnel-configs',
      `cursor=${Buffer.from('["createdAt",9e99,9e99]').toString('base64url')}`,
      'cursor',
    ],
    ['GET /api/tunnel-configs', 'limit=0', 'limit'],
    ['GET /api/tunnel-configs', 'limit=1001', 'limit'],
    ['GET /api/tunnel-configs', 'sort=serverIP', 'sort'],
    ['GET /api/tunnel-configs', 'status=gone', 'status'],
    ['GET /api/tunnel-configs', 'q=a&q=b', 'q'],
    ['GET /api/admin/users', 'tier=gold', 'tier'],
    ['GET /api/admin/users', 'role=king', 'role'],
    ['GET /api/admin/users', 'state=gone', 'state'],
    ['GET /api/admin/tunnel-configs', 'userId=-1', 'userId'],
  ];
  it.each(faulty)('refuses %s?%s and says what is wrong', async (route, query, field) => {
    const { status, body } = await admin.send('GET', `${route.slice(4)}?${query}`);
    expect([status, body]).toMatchObject([400, { code: 'invalid_input', issues: [{ path: [field] }] }]);
  });
});
