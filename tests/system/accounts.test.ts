import { randomUUID } from 'node:crypto';
import { type ErrorCode, errorText } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { useTalpa } from '@talpa/test-kit/system';
import { describe, expect, it } from 'vitest';

const system = useTalpa({ RESERVED_NAMES: 'vereinsheim, liga-*' });
const edit = { proxyLimit: 0, subscriptionTier: 'none' } as const;

describe('a subdomain', () => {
  it('is not reserved and looks like no other; the error says so in both languages', async () => {
    const [{ client: owner }, { client }] = [
      await newUser(system.url, 'basic'),
      await newUser(system.url, 'basic'),
    ];
    const create = (by: Client, customUrl: string) =>
      by.fail('POST /api/tunnel-configs', { ...proxyInput(), customUrl });
    await owner.call('POST /api/tunnel-configs', { ...proxyInput(), customUrl: 'spielplatz1' });
    for (const language of ['de', 'en'] as const) {
      client.language = language;
      const similar = { subdomain: 'spielplatzl' };
      expect((await create(client, 'spielplatzl')).error).toMatchObject({
        code: 'subdomain_similar',
        message: errorText('subdomain_similar', language, similar),
      });
      for (const subdomain of ['anmelden', 'talpa-login', 'paypal-sicherheit', 'vereinsheim', 'liga-2'])
        expect((await create(client, subdomain)).error).toMatchObject({
          code: 'subdomain_reserved',
          message: errorText('subdomain_reserved', language, { subdomain }),
        });
    }
    await owner.call('POST /api/tunnel-configs', { ...proxyInput(), customUrl: 'spielplatzl' });
  });

  it('that was reserved after a proxy had it stays that proxy’s', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    const hostname = 'liga-9.tunnel.localhost';
    await sql`update proxies.proxies set hostname = ${hostname}, custom_url = 'liga-9' where id = ${proxy.id}`;
    await sql`
      update proxies.hostnames set hostname = ${hostname}
      where proxy_uuid = (select uuid from proxies.proxies where id = ${proxy.id})`;
    await sql.end();
    const kept = { ...proxyInput(), id: proxy.id, customUrl: 'liga-9', adminPort: 30_120 };
    expect(await client.call('PUT /api/tunnel-configs/:id', kept)).toMatchObject({ cfDomain: hostname });
    const moved = await client.fail('PUT /api/tunnel-configs/:id', { ...kept, customUrl: 'liga-8' });
    expect(moved.error.code).toBe('subdomain_reserved');
  });
});

describe('an account', () => {
  it('is made, signed in, signed out, and its session is dead everywhere afterwards', async () => {
    const { client, user } = await newUser(system.url);
    expect(await client.call('GET /api/user', {})).toEqual(user);
    const sameSession = new Client(system.url);
    sameSession.cookie = client.cookie;
    await client.call('POST /api/logout', {});
    expect((await sameSession.fail('GET /api/user', {})).status).toBe(401);
  });

  it('has a name that is unique without regard to case', async () => {
    const { user } = await newUser(system.url);
    const other = new Client(system.url);
    const { status, error } = await other.fail('POST /api/register', {
      username: user.username.toUpperCase(),
      password: testPassword,
    });
    expect([status, error.code]).toEqual([409, 'username_taken']);
  });

  it('has a name that looks like no other user’s and is not the operator’s; the error says so in both languages', async () => {
    const hex = randomUUID().slice(0, 8);
    const register = async (username: string, language: 'de' | 'en') => {
      const client = new Client(system.url);
      client.language = language;
      const { status, error } = await client.fail('POST /api/register', { username, password: testPassword });
      return [status, error.code, error.message === errorText(error.code as ErrorCode, language)];
    };
    await new Client(system.url).call('POST /api/register', {
      username: `anna${hex}`,
      password: testPassword,
    });
    for (const language of ['de', 'en'] as const) {
      expect(await register(`аnna${hex}`, language)).toEqual([409, 'username_similar', true]);
      for (const name of ['аdmin', 'Support', 's.u.p.p.o.r.t', 'talpa-team', 'ｓｙｓｔｅｍ', 'vereinsheim'])
        expect(await register(name, language), name).toEqual([409, 'username_reserved', true]);
    }
    const admin = await system.admin();
    const { user } = await newUser(system.url);
    const change = { id: user.id, isAdmin: false, ...edit };
    const refused = await admin.fail('PUT /api/admin/users/:id', { ...change, username: `аnna${hex}` });
    expect(refused.error.code).toBe('username_similar');
    const given = await admin.call('PUT /api/admin/users/:id', { ...change, username: 'support' });
    expect(given.username).toBe('support');
    const made = { username: 'ѕupport', password: testPassword, isAdmin: false };
    expect((await admin.fail('POST /api/admin/users', made)).error.code).toBe('username_similar');
    await admin.call('PUT /api/admin/users/:id', { ...change, username: user.username });
  });

  it('does not reveal by a failed sign-in whether the name exists', async () => {
    const { user } = await newUser(system.url);
    const attempt = async (username: string) => {
      const { status, error } = await new Client(system.url).fail('POST /api/login', {
        username,
        password: 'not this one',
      });
      return { status, error: { ...error, requestId: '' } };
    };
    expect(await attempt(user.username)).toEqual(await attempt('nobody-has-this-name'));
  });

  it('returns all faulty fields at once, in its language, and nothing has changed', async () => {
    const client = new Client(system.url);
    const german = await client.fail('POST /api/register', { username: 'ab', password: '123' });
    expect(german.status).toBe(400);
    expect(german.error.issues).toEqual([
      { path: ['username'], message: 'Benutzername muss mindestens 3 Zeichen haben' },
      { path: ['password'], message: 'Passwort muss mindestens 6 Zeichen haben' },
    ]);
    client.language = 'en';
    const english = await client.fail('POST /api/register', { username: 'ab', password: '123' });
    expect(english.error.issues?.[0]?.message).toBe('Username must be at least 3 characters long');
    expect(client.cookie).toBe('');
  });

  it('keeps its preferences, with defaults for what was never saved', async () => {
    const { client } = await newUser(system.url);
    const before = await client.call('GET /api/user/preferences', {});
    expect(before).toEqual({
      email: '',
      notifications: { email: false, system: true, maintenance: true },
      appearance: { theme: 'dark', accentColor: 'purple' },
    });
    const wished = {
      ...before,
      email: 'a@b.de',
      appearance: { theme: 'light', accentColor: 'green' },
    } as const;
    await client.call('POST /api/user/preferences', wished);
    expect(await client.call('GET /api/user/preferences', {})).toEqual(wished);
  });
});

describe('an administrator’s change', () => {
  it('that deletes a user ends their sessions and takes their proxies with them', async () => {
    const { client, user } = await newUser(system.url, 'free');
    await client.call('POST /api/tunnel-configs', proxyInput());
    const admin = await system.admin();
    await admin.call('DELETE /api/admin/users/:id', { id: user.id });
    expect((await client.fail('GET /api/user', {})).status).toBe(401);
    await expect
      .poll(async () =>
        (await admin.call('GET /api/admin/tunnel-configs', {})).some((one) => one.userId === user.id),
      )
      .toBe(false);
  });

  it('cannot take away the last administrator, nor themselves', async () => {
    const admin = await system.admin();
    const me = await admin.call('GET /api/user', {});
    const demotion = await admin.fail('PUT /api/admin/users/:id', {
      ...edit,
      id: me.id,
      username: me.username,
      isAdmin: false,
    });
    expect(demotion.error.code).toBe('last_administrator');
    expect((await admin.fail('DELETE /api/admin/users/:id', { id: me.id })).error.code).toBe('self_deletion');
  });
});
