import { openDatabase } from '@talpa/service-kit/database/connect';
import { Client, newUser, testPassword } from '@talpa/test-kit/client';
import { giveEmail, readKept } from '@talpa/test-kit/emails';
import { ask } from '@talpa/test-kit/raw-http';
import { useTalpa } from '@talpa/test-kit/system';
import { describe, expect, it } from 'vitest';

const system = useTalpa();
const newPassword = 'ganz-neu-123';

/** A link that an administrator has made for a user. */
async function linkFor(id: number) {
  const admin = await system.admin();
  return admin.call('POST /api/admin/users/:id/reset-link', { id });
}
const tokenOf = ({ path }: { readonly path: string }) => path.split('#')[1] ?? '';

describe('a reset link', () => {
  it('ends sessions at once, also those that the gateway has cached', async () => {
    const { client, user } = await newUser(system.url);
    const token = tokenOf(await linkFor(user.id));
    for (let count = 0; count < 3; count += 1) await client.call('GET /api/user', {});
    await new Client(system.url).call('POST /api/password-reset', { token, newPassword });
    expect((await client.try('GET /api/user', {})).status).toBe(401);
    const again = new Client(system.url);
    const { username } = user;
    expect((await again.try('POST /api/login', { username, password: testPassword })).status).toBe(401);
    await again.call('POST /api/login', { username, password: newPassword });
  });

  it('never names the host of the request that asks for it', async () => {
    const { user } = await newUser(system.url);
    const admin = await system.admin();
    const host = 'evil.example';
    const response = await ask({
      port: Number(new URL(system.url).port),
      host,
      method: 'POST',
      path: `/api/admin/users/${user.id}/reset-link`,
      headers: {
        cookie: admin.cookie,
        origin: `http://${host}`,
        'x-forwarded-host': host,
        forwarded: `host=${host}`,
      },
    });
    expect(response.status).toBe(201);
    expect(JSON.stringify([response.rawHeaders, response.body])).not.toContain(host);
    expect(JSON.parse(response.body)).toMatchObject({ url: null, path: expect.stringMatching(/^\/reset#/) });
  });

  it('in an email never names the host of the request that asks for it', async () => {
    const { user } = await newUser(system.url);
    const admin = await system.admin();
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    await giveEmail(sql, user.id, `${user.username}@example.org`);
    await sql.end();
    const host = 'evil.example';
    const response = await ask({
      port: Number(new URL(system.url).port),
      host,
      method: 'POST',
      path: '/api/password-reset-request',
      headers: {
        'content-type': 'application/json',
        origin: `http://${host}`,
        'x-forwarded-host': host,
        forwarded: `host=${host}`,
      },
      body: JSON.stringify({ account: user.username }),
    });
    expect(response.status).toBe(204);
    const text = await readKept(admin, user.id, 'reset_password');
    expect(text).toMatch(/^\/reset#[\w-]{43}$/m);
    expect(text).not.toContain(host);
  });

  it('signs out the browser that uses it, even of another account', async () => {
    const [{ user }, other] = [await newUser(system.url), await newUser(system.url)];
    const token = tokenOf(await linkFor(user.id));
    await other.client.call('POST /api/password-reset', { token, newPassword });
    expect((await other.client.try('GET /api/user', {})).status).toBe(401);
  });

  it('that does not count reveals nothing of any account', async () => {
    const client = new Client(system.url);
    const tokens = ['x', 'A'.repeat(43), 'admin'];
    const said = [];
    for (const token of tokens)
      said.push(await client.fail('POST /api/password-reset', { token, newPassword }));
    for (const { status, error } of said)
      expect({ status, ...error, requestId: '' }).toEqual({
        status: 403,
        code: 'reset_link_invalid',
        message: expect.any(String),
        requestId: '',
      });
  });
});
