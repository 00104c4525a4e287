import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { AccountExport, User } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { openVerifyingKeys } from '@talpa/service-kit/session/keys';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { roomy, useGateways } from '@talpa/test-kit/gateway';
import { adminPassword, useTalpa } from '@talpa/test-kit/system';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';

const system = useTalpa();
const gateways = useGateways(() => system.talpa.stores);
/** Further replicas of the gateway on the same stores, beside the system's own. */
let replicas: FastifyInstance[] = [];

beforeAll(async () => {
  const sessionKeys = openVerifyingKeys(system.talpa.secrets.sessionPublicKeys);
  replicas = await Promise.all([
    gateways.start(roomy, { sessionKeys }),
    gateways.start(roomy, { sessionKeys }),
  ]);
});

/** What every replica says of a session, one after the other; asked twice, it is cached. */
async function seenBy(client: Client, url = '/api/user'): Promise<number[]> {
  const seen: number[] = [];
  for (const replica of replicas)
    seen.push((await replica.inject({ url, headers: { cookie: client.cookie } })).statusCode);
  return seen;
}
async function signIn(username: string, password = testPassword): Promise<Client> {
  const client = new Client(system.url);
  await client.call('POST /api/login', { username, password });
  return client;
}
/** A user with two browsers, both of which every replica has cached. */
async function withTwoSessions() {
  const { client, user } = await newUser(system.url);
  const other = await signIn(user.username);
  for (const one of [client, other]) expect(await seenBy(one)).toEqual([200, 200]);
  return { client, other, user };
}
const edit = { proxyLimit: 0, subscriptionTier: 'none', isAdmin: false } as const;

describe('the user’s sessions', () => {
  it('are listed with where they come from, and which one asks', async () => {
    const { client } = await withTwoSessions();
    const sessions = await client.call('GET /api/user/sessions', {});
    expect(sessions.map((session) => session.current).sort()).toEqual([false, true]);
    for (const session of sessions)
      expect(session).toEqual({
        id: expect.any(String),
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        address: '127.0.0.1',
        userAgent: 'node',
        current: expect.any(Boolean),
      });
  });

  it('end one by one, at once on every gateway', async () => {
    const { client, other } = await withTwoSessions();
    const ended = (await client.call('GET /api/user/sessions', {})).find((session) => !session.current);
    await client.call('DELETE /api/user/sessions/:id', { id: ended?.id ?? '' });
    expect(await seenBy(other)).toEqual([401, 401]);
    expect(await seenBy(client)).toEqual([200, 200]);
    expect(await client.call('GET /api/user/sessions', {})).toHaveLength(1);
  });

  it('end all but this one', async () => {
    const { client, other } = await withTwoSessions();
    await client.call('DELETE /api/user/sessions', {});
    expect([await seenBy(other), await seenBy(client)]).toEqual([
      [401, 401],
      [200, 200],
    ]);
  });

  it('of another user cannot be ended, nor distinguished from an unknown one', async () => {
    const { client } = await withTwoSessions();
    const [foreign] = await client.call('GET /api/user/sessions', {});
    const { client: stranger } = await newUser(system.url);
    const attempt = async (id: string) => {
      const { status, error } = await stranger.fail('DELETE /api/user/sessions/:id', { id });
      return { status, error: { ...error, requestId: '' } };
    };
    const hidden = await attempt(foreign?.id ?? '');
    expect(hidden).toEqual(await attempt(randomUUID()));
    expect(hidden.status).toBe(404);
    expect(await seenBy(client)).toEqual([200, 200]);
  });
});

describe('the user’s password', () => {
  it('is changed with the old one, ends the other sessions and keeps this', async () => {
    const { client, other, user } = await withTwoSessions();
    const newPassword = 'ganz-neu-123';
    await client.call('POST /api/user/password', { currentPassword: testPassword, newPassword });
    expect([await seenBy(other), await seenBy(client)]).toEqual([
      [401, 401],
      [200, 200],
    ]);
    await expect(signIn(user.username)).rejects.toThrow('401');
    await signIn(user.username, newPassword);
  });

  it('given wrongly marks the field, signs nobody out and changes nothing', async () => {
    const { client, other, user } = await withTwoSessions();
    const { status, error } = await client.fail('POST /api/user/password', {
      currentPassword: 'not this one',
      newPassword: 'ganz-neu-123',
    });
    expect([status, error.code]).toEqual([400, 'wrong_password']);
    expect(error.issues).toEqual([{ path: ['currentPassword'], message: 'Das Passwort ist falsch' }]);
    for (const one of [client, other]) expect(await seenBy(one)).toEqual([200, 200]);
    await signIn(user.username);
  });

  it('hashed at another cost is hashed anew at the next sign-in, also by two at once', async () => {
    const { user } = await newUser(system.url);
    const earlier = await hash(testPassword, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    await sql`update auth.users set password_hash = ${earlier} where id = ${user.id}`;
    await Promise.all([signIn(user.username), signIn(user.username), signIn(user.username)]);
    const [row] = await sql`select password_hash from auth.users where id = ${user.id}`;
    await sql.end();
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await signIn(user.username);
  });
});

describe('the user’s data', () => {
  it('is exported from all who hold some, without secrets', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const data = await client.call('GET /api/user/export', {});
    expect(data).toMatchObject({
      user: { id: user.id, username: user.username, isAdmin: false },
      preferences: { appearance: { theme: 'dark' } },
      subscription: { tier: 'basic', proxyLimit: 3 },
      proxies: [{ id: proxy.id, serverName: proxy.serverName }],
      sessions: [{ current: true }],
    });
    await expect
      .poll(async () => (await client.call('GET /api/user/export', {})).audit.map(({ action }) => action))
      .toEqual(['user.export', 'proxy.create', 'subscription.change', 'user.register']);
    const text = JSON.stringify(data);
    for (const secret of ['argon2', testPassword, client.cookie.split('=')[1] ?? ''])
      expect(text).not.toContain(secret);
  });
});

describe('more data of the user than fits one response', () => {
  /** More than 1 000 of each, with as long a name of a browser as a session could keep before. */
  async function userWithMuch() {
    const { client, user } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    const agent = 'ü'.repeat(300);
    await sql`
      insert into stats.audit (id, at, service, action, actor_user_id, actor_is_admin, address, user_agent,
        target_kind, target_id, target_label, subject_user_id, changes, request_id)
      select gen_random_uuid(), now() - number % 700 * interval '1 minute', 'auth', 'session.signIn', ${user.id},
        false, '192.0.2.1', ${agent}, 'user', ${String(user.id)}, null, ${user.id}, '{}', number::text
      from generate_series(1, 2500) number`;
    await sql`
      insert into proxies.proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status,
        applied_generation)
      select gen_random_uuid(), ${user.id}, repeat('ß', 100), '127.0.0.1', 1, number || '.much.example', 80,
        'inactive', 1
      from generate_series(1, 1200) number`;
    await sql`
      insert into auth.sessions (user_id, expires_at, address, user_agent)
      select ${user.id}, now() + interval '1 day', '192.0.2.1', ${agent} from generate_series(1, 99)`;
    await sql.end();
    return { client, user, proxy };
  }

  it('is exported in several responses, each thing once, in order, and none is lost', async () => {
    const { client, proxy } = await userWithMuch();
    const parts: AccountExport[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const part: AccountExport = await client.call('GET /api/user/export', cursor ? { cursor } : {});
      parts.push(part);
      cursor = part.next;
    }
    const proxies = parts.flatMap((part) => part.proxies.map(({ id }) => id));
    expect(proxies).toEqual([...new Set(proxies)].sort((a, b) => a - b));
    expect(proxies).toHaveLength(1_201);
    expect(proxies).toContain(proxy.id);
    const audit = parts.flatMap((part) => part.audit);
    expect(new Set(audit.map(({ id }) => id)).size).toBe(audit.length);
    expect(audit.filter(({ action }) => action === 'session.signIn')).toHaveLength(2_500);
    const times = audit.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
    const sessions = parts.flatMap((part) => part.sessions);
    expect(sessions).toHaveLength(100);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    const { error } = await client.fail('GET /api/user/export', { cursor: 'e30' });
    expect([error.code, error.issues?.[0]?.path]).toEqual(['invalid_input', ['cursor']]);
  });
});

describe('the user’s account', () => {
  it('goes with its password: sessions, cookie, proxies, on every gateway', async () => {
    const { client, other, user } = await withTwoSessions();
    await client.call('POST /api/user/subscription', { planId: 'free' });
    await client.call('POST /api/tunnel-configs', proxyInput());
    const response = await client.try('POST /api/user/deletion', { password: testPassword });
    expect(response.status).toBe(204);
    expect(response.headers.get('set-cookie')).toMatch(/^talpa_session=; Max-Age=0/);
    expect(await seenBy(other)).toEqual([401, 401]);
    const admin = await system.admin();
    await expect
      .poll(async () =>
        (await admin.call('GET /api/admin/tunnel-configs', {})).some((one) => one.userId === user.id),
      )
      .toBe(false);
    await expect(signIn(user.username)).rejects.toThrow('401');
  });

  it('stays with a wrong one', async () => {
    const { client, other } = await withTwoSessions();
    const { status, error } = await client.fail('POST /api/user/deletion', { password: 'not this one' });
    expect([status, error.code, error.issues?.[0]?.path]).toEqual([400, 'wrong_password', ['password']]);
    for (const one of [client, other]) expect(await seenBy(one)).toEqual([200, 200]);
  });

  it('of the last administrator stays', async () => {
    const admin = await system.admin();
    const { error } = await admin.fail('POST /api/user/deletion', { password: adminPassword });
    expect(error.code).toBe('last_administrator');
    await admin.call('GET /api/admin/users', {});
  });
});

describe('an administrator’s change', () => {
  it('of password or flag, and a deletion, act on open sessions at once on every gateway', async () => {
    const admin = await system.admin();
    const change = (id: number, username: string, more: object) =>
      admin.call('PUT /api/admin/users/:id', { ...edit, id, username, ...more });

    const { client, other, user } = await withTwoSessions();
    await change(user.id, user.username, { isAdmin: true });
    for (const one of [client, other]) expect(await seenBy(one, '/api/admin/users')).toEqual([200, 200]);
    await change(user.id, user.username, { isAdmin: false });
    for (const one of [client, other]) expect(await seenBy(one, '/api/admin/users')).toEqual([403, 403]);
    await change(user.id, user.username, { password: 'ganz-neu-123' });
    for (const one of [client, other]) expect(await seenBy(one)).toEqual([401, 401]);

    const { client: doomed, user: gone } = await withTwoSessions();
    await admin.call('DELETE /api/admin/users/:id', { id: gone.id });
    expect(await seenBy(doomed)).toEqual([401, 401]);
  });

  it('does nothing any more once another has deleted, demoted or suspended them, also when both act at once', async () => {
    const admin = await system.admin();
    const attacks = {
      delete: (by: Client, { id }: User) => by.try('DELETE /api/admin/users/:id', { id }),
      demote: (by: Client, { id, username }: User) =>
        by.try('PUT /api/admin/users/:id', { ...edit, id, username }),
      suspend: (by: Client, { id }: User) =>
        by.try('POST /api/admin/users/:id/suspension', { id, reason: 'Streit' }),
    };
    for (const [name, attack] of Object.entries(attacks)) {
      const [one, two] = await Promise.all([newUser(system.url), newUser(system.url)]);
      for (const { user } of [one, two])
        await admin.call('PUT /api/admin/users/:id', {
          ...edit,
          ...user,
          isAdmin: true,
          subscriptionTier: 'none',
        });
      const ends = await Promise.all([attack(one.client, two.user), attack(two.client, one.user)]);
      const refusal = name === 'delete' ? 401 : 403;
      expect(
        ends.map(({ status }) => (status < 300 ? 'done' : status)).sort(),
        `${name}: ${JSON.stringify(ends.map(({ body }) => body))}`,
      ).toEqual([refusal, 'done']);
      for (const { user } of [one, two]) await admin.try('DELETE /api/admin/users/:id', { id: user.id });
    }
  });

  // The last test: it may be anybody who is the administrator afterwards.
  it('leaves one administrator, also when the last two demote or delete each other at once', async () => {
    const admin = await system.admin();
    const { id } = await admin.call('GET /api/user', {});
    let last = { client: admin, id, username: 'admin', password: adminPassword };
    for (const attack of ['demote', 'delete', 'leave', 'demote', 'delete', 'leave'] as const) {
      const { client, user } = await newUser(system.url);
      const credentials = { username: user.username, password: testPassword };
      const next = { client, id: user.id, ...credentials };
      await last.client.call('PUT /api/admin/users/:id', {
        ...edit,
        id: user.id,
        ...credentials,
        isAdmin: true,
      });
      await client.call('POST /api/login', credentials);
      const end = ({ client: by }: typeof last, victim: typeof last) => {
        if (attack === 'delete') return by.try('DELETE /api/admin/users/:id', { id: victim.id });
        if (attack === 'leave')
          return victim.client.try('POST /api/user/deletion', { password: victim.password });
        return by.try('PUT /api/admin/users/:id', { ...edit, id: victim.id, username: victim.username });
      };
      const [endOfNext, endOfLast] = await Promise.all([end(last, next), end(next, last)]);
      const ended = [endOfNext, endOfLast].filter((response) => response.status < 300);
      expect(ended, `${attack}: ${JSON.stringify([endOfNext.body, endOfLast.body])}`).toHaveLength(1);
      if (endOfLast.status < 300) last = next;
      await last.client.call('GET /api/admin/users', {});
    }
  });
});
