import { randomUUID } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { type Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { apart, useTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';

const system = useTalpa(apart);
const create = '/api/tunnel-configs';
const send = (client: Client, path: string, body: object, key: string) =>
  client.send('POST', path, body, { 'idempotency-key': key });
const proxiesOf = (client: Client) => client.call('GET /api/tunnel-configs', {});

describe('a create with an Idempotency-Key', () => {
  it('is done once however often it is sent, at once or later, with the same response each time', async () => {
    const { client } = await newUser(system.url, 'enterprise');
    const [input, key] = [proxyInput(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(client, create, input, key)));
    answers.push(await send(client, create, Object.fromEntries(Object.entries(input).reverse()), key));
    for (const { status, body } of answers) expect([status, body]).toEqual([201, answers[0]?.body]);
    expect(await proxiesOf(client)).toHaveLength(1);
  });

  it('is another create for another person, and without the key', async () => {
    const [one, other] = [await newUser(system.url, 'basic'), await newUser(system.url, 'basic')];
    const key = randomUUID();
    for (const { client } of [one, other])
      expect((await send(client, create, proxyInput(), key)).status).toBe(201);
    await one.client.call('POST /api/tunnel-configs', proxyInput());
    expect([await proxiesOf(one.client), await proxiesOf(other.client)].map((list) => list.length)).toEqual([
      2, 1,
    ]);
  });

  it('leaves nothing of its key once its caller is gone', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const admin = await system.admin();
    await send(client, create, proxyInput(), randomUUID());
    await admin.call('PUT /api/admin/users/:id', { ...user, isAdmin: true });
    const username = `gast-${randomUUID().slice(0, 8)}`;
    await send(client, '/api/admin/users', { username, password: testPassword }, randomUUID());
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    const keys = async () => {
      const [row] = await sql<{ count: number }[]>`
        select (select count(*) from auth.idempotency_keys where user_id = ${user.id})
          + (select count(*) from proxies.idempotency_keys where user_id = ${user.id}) as count`;
      return row?.count;
    };
    try {
      expect(await keys()).toBe(2);
      await admin.call('DELETE /api/admin/users/:id', { id: user.id });
      await until('no key is left', async () => (await keys()) === 0);
    } finally {
      await sql.end();
    }
  });

  it('is refused when the key has made something else, and when it is none', async () => {
    const { client } = await newUser(system.url, 'basic');
    const key = randomUUID();
    await send(client, create, proxyInput(), key);
    const reused = await send(client, create, proxyInput(), key);
    expect([reused.status, reused.body]).toMatchObject([409, { code: 'idempotency_key_reused' }]);
    const none = await send(client, create, proxyInput(), 'x'.repeat(129));
    expect([none.status, none.body]).toMatchObject([400, { issues: [{ path: ['Idempotency-Key'] }] }]);
    expect(await proxiesOf(client)).toHaveLength(1);
  });

  it('that was refused may be tried again with the same key', async () => {
    const { client } = await newUser(system.url);
    const [input, key] = [proxyInput(), randomUUID()];
    expect((await send(client, create, input, key)).status).toBe(403);
    await client.call('POST /api/user/subscription', { planId: 'free' });
    await providerOf(system.talpa).fault({
      match: { operation: 'createTunnel' },
      fault: 'refuse',
      status: 400,
      code: 1034,
      times: 1,
    });
    expect((await send(client, create, input, key)).status).toBe(502);
    expect((await send(client, create, input, key)).status).toBe(201);
    expect(await proxiesOf(client)).toHaveLength(1);
  });

  it('makes one user, survives the death of the service, and what is deleted is not made again', async () => {
    const admin = await system.admin();
    const [key, username] = [randomUUID(), `u${randomUUID().slice(0, 10)}`];
    const input = { username, password: 'geheim-123', subscriptionTier: 'basic' };
    const users = '/api/admin/users';
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(admin, users, input, key)));
    const before = system.pid('auth');
    process.kill(before ?? 0, 'SIGKILL');
    await until('auth is started again', () => ![before, null].includes(system.pid('auth')));
    const later = await until('auth answers again', async () => {
      const response = await send(admin, users, input, key);
      return response.status < 500 && response;
    });
    for (const { status, body } of [...answers, later])
      expect([status, body]).toEqual([201, answers[0]?.body]);
    const { id } = later.body as { id: number };
    await admin.call('DELETE /api/admin/users/:id', { id });
    expect((await send(admin, users, input, key)).status).toBe(404);
  });
});

describe('a change that names the values it was made from', () => {
  it('of a proxy is refused once the stored values differ, and then changes nothing', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { id, serverName, serverIP, adminPort, customUrl } = proxy;
    const expected = { serverName, serverIP, adminPort, customUrl };
    const change = (changed: Partial<typeof expected>) =>
      client.try('PUT /api/tunnel-configs/:id', { id, ...expected, ...changed, expected });
    expect((await change({ adminPort: 4001 })).status).toBe(200);
    const refused = await change({ adminPort: 4002, serverIP: '10.0.0.9' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'edit_conflict' } });
    expect(await client.call('GET /api/tunnel-configs/:id', { id })).toMatchObject({
      ...expected,
      adminPort: 4001,
    });
  });

  it('of a user or of preferences is refused alike', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const admin = await system.admin();
    const { id, username, isAdmin, proxyLimit, subscriptionTier } = await client.call('GET /api/user', {});
    const expected = { username, isAdmin, proxyLimit, subscriptionTier };
    const limitTo = (limit: number) =>
      admin.try('PUT /api/admin/users/:id', { id, ...expected, proxyLimit: limit, expected });
    expect((await limitTo(proxyLimit + 1)).status).toBe(200);
    expect(await limitTo(proxyLimit + 2)).toMatchObject({ status: 409, body: { code: 'edit_conflict' } });
    expect(await admin.call('GET /api/admin/users/:id', { id: user.id })).toMatchObject({
      username,
      proxyLimit: proxyLimit + 1,
    });

    const before = await client.call('GET /api/user/preferences', {});
    const email = (address: string) =>
      client.try('POST /api/user/preferences', { ...before, email: address, expected: before });
    expect((await email('one@example.org')).status).toBe(200);
    expect(await email('two@example.org')).toMatchObject({ status: 409, body: { code: 'edit_conflict' } });
    expect(await client.call('GET /api/user/preferences', {})).toEqual({
      ...before,
      email: 'one@example.org',
    });
  });

  it('wins once when several are made from the same values at once', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { id, serverName, serverIP, adminPort, customUrl } = proxy;
    const expected = { serverName, serverIP, adminPort, customUrl };
    const answers = await Promise.all(
      [1, 2, 3, 4].map((by) =>
        client.try('PUT /api/tunnel-configs/:id', { id, ...expected, adminPort: adminPort + by, expected }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});
