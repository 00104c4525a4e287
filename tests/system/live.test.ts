import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { type Reader, readLive } from '@talpa/test-kit/live';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';

const system = useSharedTalpa();

async function opened(client: Client): Promise<Reader> {
  const reader = await readLive(system.url, client.cookie);
  await reader.saw({ type: 'refetch' });
  return reader;
}

describe('a live stream', () => {
  it('notifies its user of changes of their proxies, and administrators of those of all', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const { client: stranger } = await newUser(system.url, 'basic');
    const [own, strangers, admins] = await Promise.all([
      opened(client),
      opened(stranger),
      opened(await system.admin()),
    ]);
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const about = { type: 'proxy', id: proxy.id, userId: user.id };
    await own.saw({ ...about, scope: 'own', change: 'created', status: 'pending' });
    await own.saw({ ...about, scope: 'own', change: 'changed', status: 'inactive' });
    await client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
    await own.saw({ ...about, scope: 'own', change: 'deleted' });
    await admins.saw({ ...about, scope: 'all', change: 'deleted' });
    await strangers.saw({ type: 'totals' });
    expect(strangers.messages.filter(({ type }) => type === 'proxy')).toEqual([]);
    // And not the first time alone.
    const totals = () => strangers.messages.filter(({ type }) => type === 'totals').length;
    const before = totals();
    await newUser(system.url);
    await until('the totals again', () => totals() > before);
  });

  it('notifies its user of a sign-in elsewhere once the trail shows it, administrators too, and no one else', async () => {
    const { client, user } = await newUser(system.url);
    const { client: stranger } = await newUser(system.url);
    const [own, strangers, admins] = await Promise.all([
      opened(client),
      opened(stranger),
      opened(await system.admin()),
    ]);
    await new Client(system.url).call('POST /api/login', { username: user.username, password: testPassword });
    const rows = await until('the row', async () => {
      await own.saw({ type: 'audit', scope: 'own', userId: user.id });
      const found = await client.call('GET /api/user/audit', {});
      return found.some(({ action }) => action === 'session.signIn') && found;
    });
    expect(rows.length).toBeGreaterThan(0);
    expect(await client.call('GET /api/user/sessions', {})).toHaveLength(2);
    await admins.saw({ type: 'audit', scope: 'all', userId: user.id });
    expect(strangers.messages.filter((one) => one.type === 'audit' && one.userId === user.id)).toEqual([]);
  });

  it('notifies administrators when an email has another state, and the log shows it', async () => {
    const { client, user } = await newUser(system.url);
    const admin = await system.admin();
    const admins = await opened(admin);
    await client.call('POST /api/user/password', {
      currentPassword: testPassword,
      newPassword: testPassword,
    });
    await until('the email', async () => {
      await admins.saw({ type: 'mail', scope: 'all', userId: user.id });
      const [mail] = await admin.call('GET /api/admin/mails', { userId: user.id });
      return mail?.state === 'no_address';
    });
  });

  it('notifies its user of a notification once it can be fetched and counted, and no one else', async () => {
    const { client, user } = await newUser(system.url);
    const [own, admins] = await Promise.all([opened(client), opened(await system.admin())]);
    const unread = async () => (await client.call('GET /api/user/notifications/unread-count', {})).unread;
    expect(await unread()).toBe(0);
    await client.call('POST /api/user/password', {
      currentPassword: testPassword,
      newPassword: testPassword,
    });
    await until('the notification', async () => {
      await own.saw({ type: 'notification', scope: 'own', userId: user.id });
      return (await unread()) === 1;
    });
    const [notification] = await client.call('GET /api/user/notifications', {});
    expect(notification).toMatchObject({ kind: 'password_changed', readAt: null });
    await client.call('POST /api/user/notifications/read', { upTo: notification?.id ?? 0 });
    expect(await unread()).toBe(0);
    await admins.saw({ type: 'mail', scope: 'all', userId: user.id });
    // They may get one of their own: of a fault that another file has made, say.
    expect(admins.messages.filter((one) => one.type === 'notification' && one.userId === user.id)).toEqual(
      [],
    );
  });

  it('notifies the owner of saved preferences when they can be fetched, and no one else', async () => {
    const { client, user } = await newUser(system.url);
    const [own, admins] = await Promise.all([opened(client), opened(await system.admin())]);
    const elsewhere = new Client(system.url);
    await elsewhere.call('POST /api/login', { username: user.username, password: testPassword });
    // What the gateway has cached of them is outdated by then.
    await client.call('GET /api/user/preferences', {});
    await elsewhere.call('POST /api/user/preferences', { email: 'dort@example.org' });
    await own.saw({ type: 'preferences', userId: user.id });
    expect((await client.call('GET /api/user/preferences', {})).email).toBe('dort@example.org');
    // Administrators see that they were saved in the trail, not what; it comes later.
    await admins.saw({ type: 'audit', userId: user.id });
    await elsewhere.call('POST /api/user/subscription', { planId: 'basic' });
    await admins.saw({ type: 'subscription', userId: user.id });
    expect(admins.messages.filter(({ type }) => type === 'preferences')).toEqual([]);
  });

  it('notifies of a new plan when every figure shows it', async () => {
    const { client, user } = await newUser(system.url, 'free');
    const reader = await opened(client);
    const admin = await system.admin();
    const changing = admin.call('PUT /api/admin/users/:id', {
      id: user.id,
      username: user.username,
      isAdmin: false,
      proxyLimit: 7,
      subscriptionTier: 'premium',
    });
    await reader.saw({ type: 'subscription', scope: 'own' });
    const [me, quota, subscription] = await Promise.all([
      client.call('GET /api/user', {}),
      client.call('GET /api/user/subscription/can-create-proxy', {}),
      client.call('GET /api/user/subscription', {}),
    ]);
    expect([me.proxyLimit, quota.limit, subscription.proxyLimit]).toEqual([7, 7, 7]);
    await changing;
  });

  it.each<[string, (client: Client, userId: number) => Promise<unknown>]>([
    ['signs out', (client) => client.call('POST /api/logout', {})],
    [
      'is given a new password',
      async (_client, id) =>
        (await system.admin()).call('PUT /api/admin/users/:id', {
          id,
          username: `neu-${id}`,
          password: 'ganz-neu-123',
          isAdmin: false,
          proxyLimit: 1,
          subscriptionTier: 'free',
        }),
    ],
    ['is deleted', async (_client, id) => (await system.admin()).call('DELETE /api/admin/users/:id', { id })],
  ])('ends at once, saying so, when its user %s', async (_case, act) => {
    const { client, user } = await newUser(system.url);
    const reader = await opened(client);
    const { cookie } = client;
    await act(client, user.id);
    await reader.saw({ type: 'sessionEnded' });
    await until('the stream has ended', () => reader.ended());
    expect((await readLive(system.url, cookie)).status).toBe(401);
  });

  it('goes on in the session that ended the others', async () => {
    const { client, user } = await newUser(system.url);
    const elsewhere = new Client(system.url);
    await elsewhere.call('POST /api/login', { username: user.username, password: testPassword });
    const [own, other] = await Promise.all([opened(client), opened(elsewhere)]);
    await client.call('DELETE /api/user/sessions', {});
    await other.saw({ type: 'sessionEnded' });
    await client.call('POST /api/user/subscription', { planId: 'free' });
    await own.saw({ type: 'subscription' });
  });
});
