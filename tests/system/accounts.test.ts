import { describe, expect, it } from 'vitest';
import { Client, newUser, proxyInput, testPassword } from '../kit/client.ts';
import { useTalpa } from '../kit/system.ts';

const system = useTalpa();
const edit = { proxyLimit: 0, subscriptionTier: 'none' } as const;

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

  it('does not tell by a failed sign-in whether the name exists', async () => {
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

  it('is told all faulty fields at once, in its language, and nothing has changed', async () => {
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
  it('of a password ends every open session of the user at once', async () => {
    const { client, user } = await newUser(system.url);
    await client.call('GET /api/user', {});
    const admin = await system.admin();
    const password = 'ganz-neu-123';
    await admin.call('PUT /api/admin/users/:id', {
      ...edit,
      id: user.id,
      username: user.username,
      password,
      isAdmin: false,
    });
    expect((await client.fail('GET /api/user', {})).status).toBe(401);
    await client.call('POST /api/login', { username: user.username, password });
  });

  it('of the flag acts on the open session at once, both ways', async () => {
    const { client, user } = await newUser(system.url);
    const admin = await system.admin();
    const setFlag = (isAdmin: boolean) =>
      admin.call('PUT /api/admin/users/:id', { ...edit, id: user.id, username: user.username, isAdmin });
    expect((await client.fail('GET /api/admin/users', {})).status).toBe(403);
    await setFlag(true);
    await client.call('GET /api/admin/users', {});
    await setFlag(false);
    expect((await client.fail('GET /api/admin/users', {})).status).toBe(403);
  });

  it('that deletes a user ends his sessions and takes his proxies with him', async () => {
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

  it('cannot take away the last administrator, nor himself', async () => {
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
