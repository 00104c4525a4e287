import { createHash } from 'node:crypto';
import { apiKeysPerUser, type RequestOf, type RouteName, type Routes, scopes } from '@talpa/contracts';
import { giveEmail } from '@talpa/test-kit/emails';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { useOtherServices } from '@talpa/test-kit/other-services';
import { inboxOf } from '@talpa/test-kit/received-mails';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { afterAll, describe, expect, it } from 'vitest';

const server = await startMailServer();
afterAll(() => server.stop());
const stores = useStores();
const talpa = useServices(stores, ['auth', 'notifications'], {
  ...{ SMTP_URL: server.url, MAIL_FROM: 'talpa@example.org' },
  PUBLIC_URL: 'https://panel.example.org',
});
const answer = useOtherServices(stores, ['proxies']);
const { newUser, newAdmin, audited, invalidating } = usersOf(talpa, 'schluessel');
type TestUser = Awaited<ReturnType<typeof newUser>>;

const as =
  (user: TestUser) =>
  <N extends RouteName>(route: N, input: RequestOf<Routes[N]>) =>
    talpa.call(route, user.actor, input);
type Given = Partial<RequestOf<Routes['POST /api/user/api-keys']>>;
const create = (user: TestUser, given: Given = {}) =>
  as(user)('POST /api/user/api-keys', { name: 'Skript', scopes: ['proxies:read'], days: 90, ...given });
const listOf = (user: TestUser) => as(user)('GET /api/user/api-keys', {});
const invalid = { code: 'api_key_invalid' };

describe('an API key', () => {
  it('is shown once, stored as a hash, and signed with its name, scopes and proxies', async () => {
    const user = await newUser();
    const asked = await answer('proxies.findReachable', { ids: [7] });
    const { apiKey, key } = await create(user, { scopes: ['account:read', 'proxies:read'], proxyIds: [7] });
    expect(key).toMatch(new RegExp(`^talpa_${apiKey.id}_[0-9a-f]{64}$`));
    expect(asked).toEqual([{ userId: user.id, ids: [7] }]);
    expect(await listOf(user)).toEqual([apiKey]);
    const secret = key.split('_')[2] ?? '';
    const [stored] = await talpa.sql`select * from auth.api_keys where id = ${apiKey.id}`;
    expect(stored?.secretHash).toEqual(createHash('sha256').update(secret).digest());
    expect(JSON.stringify([stored, await audited('apiKey.create', user.id)])).not.toContain(secret);
    expect(await talpa.whoActs(key)).toMatchObject({
      ...{ userId: user.id, isAdmin: false, sessionId: null },
      apiKey: { id: apiKey.id, name: 'Skript', scopes: ['proxies:read', 'account:read'], proxyIds: [7] },
    });
  });

  it('counts for nothing with another secret, another id, once it has expired, or is revoked', async () => {
    const user = await newUser();
    const [first, second] = [await create(user), await create(user)];
    const mixed = `talpa_${second.apiKey.id}_${first.key.split('_')[2]}`;
    for (const wrong of [mixed, `${first.key.slice(0, -1)}x`, `talpa_999999999_${'0'.repeat(64)}`])
      await expect(talpa.whoActs(wrong)).rejects.toMatchObject(invalid);
    await talpa.sql`
      update auth.api_keys set expires_at = now() - interval '1 second' where id = ${first.apiKey.id}`;
    await expect(talpa.whoActs(first.key)).rejects.toMatchObject(invalid);
    await invalidating(user.id, () => as(user)('DELETE /api/user/api-keys/:id', { id: second.apiKey.id }));
    await expect(talpa.whoActs(second.key)).rejects.toMatchObject(invalid);
    expect(await audited('apiKey.revoke', user.id)).toMatchObject([
      { target: { kind: 'apiKey', id: String(second.apiKey.id), label: 'Skript' } },
    ]);
  });

  it('is signed for no longer than it lives', async () => {
    const { apiKey, key } = await create(await newUser(), { days: 1 });
    const end = new Date(Date.now() + 60_000);
    await talpa.sql`update auth.api_keys set expires_at = ${end} where id = ${apiKey.id}`;
    const [, id, secret = ''] = key.split('_');
    const address = '192.0.2.1';
    const { assertion } = await talpa.ask('auth.authenticateApiKey', { id: Number(id), secret, address });
    const { exp } = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString());
    expect(exp).toBe(Math.floor(end.getTime() / 1_000));
  });

  it('lives as many days as was chosen, or until it is revoked', async () => {
    const user = await newUser();
    const { apiKey } = await create(user, { days: 90 });
    expect(Date.parse(apiKey.expiresAt ?? '') - Date.parse(apiKey.createdAt)).toBeCloseTo(
      90 * 86_400_000,
      -5,
    );
    const endless = await create(user, { days: null });
    expect(endless.apiKey.expiresAt).toBeNull();
    expect(await talpa.whoActs(endless.key)).toMatchObject({ apiKey: { expiresAt: null } });
  });

  it('is revoked by its owner alone', async () => {
    const [owner, stranger] = [await newUser(), await newUser()];
    const { apiKey, key } = await create(owner);
    await expect(as(stranger)('DELETE /api/user/api-keys/:id', { id: apiKey.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(talpa.whoActs(key)).resolves.toMatchObject({ userId: owner.id });
  });

  it('is used from its addresses and networks alone', async () => {
    const networks = ['192.0.2.0/24', '2001:db8:1::/48', '203.0.113.7'];
    const { key } = await create(await newUser(), { networks });
    for (const address of ['192.0.2.77', '::ffff:192.0.2.77', '2001:db8:1:2::3', '203.0.113.7'])
      await expect(talpa.whoActs(key, address)).resolves.toMatchObject({ sessionId: null });
    for (const address of ['192.0.3.1', '2001:db8:2::1', '203.0.113.8', '::ffff:192.0.3.1', 'unknown', ''])
      await expect(talpa.whoActs(key, address)).rejects.toMatchObject({ code: 'api_key_address' });
    for (const network of ['192.0.2.0/33', 'example.org', '10.0.0', '1.2.3.4/'])
      await expect(create(await newUser(), { networks: [network] })).rejects.toThrow();
  });

  it('shows when and from where it was used, stored at most once a minute', async () => {
    const user = await newUser();
    const { apiKey, key } = await create(user);
    await talpa.whoActs(key, '192.0.2.1');
    const [used] = await listOf(user);
    expect(used).toMatchObject({ lastUsedAt: expect.any(String), lastUsedAddress: '192.0.2.1' });
    await talpa.whoActs(key, '192.0.2.2');
    expect(await listOf(user)).toEqual([used]);
    await talpa.sql`
      update auth.api_keys set last_used_at = last_used_at - interval '61 seconds' where id = ${apiKey.id}`;
    await talpa.whoActs(key, '192.0.2.2');
    expect(await listOf(user)).toMatchObject([{ lastUsedAddress: '192.0.2.2' }]);
  });

  it('does nothing while its owner is suspended, and is gone with them', async () => {
    const [user, admin] = [await newUser(), await newAdmin()];
    const { key } = await create(user);
    const { id } = user;
    await invalidating(id, () => as(admin)('POST /api/admin/users/:id/suspension', { id, reason: 'Spam' }));
    await expect(talpa.whoActs(key)).rejects.toMatchObject({
      code: 'account_suspended',
      params: { reason: 'Spam' },
    });
    await as(admin)('DELETE /api/admin/users/:id/suspension', { id });
    await expect(talpa.whoActs(key)).resolves.toMatchObject({ userId: id });
    await as(admin)('DELETE /api/admin/users/:id', { id });
    await expect(talpa.whoActs(key)).rejects.toMatchObject(invalid);
    expect(await talpa.sql`select 1 from auth.api_keys where user_id = ${id}`).toEqual([]);
  });

  it('is listed for administrators and in the export, without its secret', async () => {
    const [user, admin] = [await newUser(), await newAdmin()];
    const { apiKey } = await create(user);
    const { id } = user;
    expect(await as(admin)('GET /api/admin/users/:id/api-keys', { id })).toEqual([apiKey]);
    await expect(as(admin)('GET /api/admin/users/:id/api-keys', { id: 999_999_999 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('creating an API key', () => {
  it('takes a recent sign-in or step-up, as revoking does', async () => {
    const user = await newUser();
    const { apiKey } = await create(user);
    const late = { ...user, actor: { ...user.actor, provedAt: Date.now() - 11 * 60_000 } };
    const refusal = { code: 'step_up_required' };
    await expect(create(late)).rejects.toMatchObject(refusal);
    await expect(as(late)('DELETE /api/user/api-keys/:id', { id: apiKey.id })).rejects.toMatchObject(refusal);
    expect(await listOf(user)).toHaveLength(1);
  });

  it('is recorded in the activity log with what the key may do, where from and until when', async () => {
    const user = await newUser();
    await answer('proxies.findReachable', { ids: [3, 7] });
    const { apiKey } = await create(user, {
      ...{ scopes: ['account:read', 'proxies:read'], proxyIds: [3, 7] },
      networks: ['192.0.2.0/24', '203.0.113.7'],
    });
    const [row] = await audited('apiKey.create', user.id);
    expect(row).toMatchObject({
      target: { kind: 'apiKey', id: String(apiKey.id), label: 'Skript' },
      changes: {
        scopes: { to: 'proxies:read, account:read' },
        proxies: { to: '3, 7' },
        networks: { to: '192.0.2.0/24, 203.0.113.7' },
        expiresAt: { to: apiKey.expiresAt },
      },
    });
    const other = await newUser();
    await create(other, { days: null });
    expect(await audited('apiKey.create', other.id)).toMatchObject([
      { changes: { proxies: { to: null }, networks: { to: null }, expiresAt: { to: null } } },
    ]);
  });

  it('is refused once the user is deleted, although their signature still holds', async () => {
    const user = await newUser();
    await talpa.sql`delete from auth.users where id = ${user.id}`;
    await expect(create(user)).rejects.toMatchObject({ code: 'not_signed_in' });
  });

  it('is refused beyond the maximum, also of two at once', async () => {
    expect(apiKeysPerUser).toBe(25);
    const user = await newUser();
    await create(user);
    await talpa.sql`
      insert into auth.api_keys (user_id, name, secret_hash, scopes, networks, announced_by)
      select user_id, name, secret_hash, scopes, networks, announced_by
      from auth.api_keys, generate_series(3, ${apiKeysPerUser}) as number where user_id = ${user.id}`;
    const results = await Promise.allSettled([create(user), create(user)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'api_key_limit', params: { limit: apiKeysPerUser } },
    });
    expect(await listOf(user)).toHaveLength(apiKeysPerUser);
  });

  it('gives scopes of administrators to administrators alone, as long as they are ones', async () => {
    const [user, admin] = [await newUser(), await newAdmin()];
    const refusal = { issues: [{ path: ['scopes'], key: 'adminScope' }] };
    await expect(create(user, { scopes: ['admin:users'] })).rejects.toMatchObject(refusal);
    const pretending = { ...user, actor: { ...user.actor, isAdmin: true } };
    await expect(create(pretending, { scopes: ['admin:users'] })).rejects.toMatchObject(refusal);
    const given: Given = { scopes: ['admin:users', 'proxies:read'], proxyIds: [1] };
    await expect(create(admin, given)).rejects.toMatchObject({
      issues: [{ path: ['proxyIds'], key: 'adminKeyProxies' }],
    });
    const { key } = await create(admin, { scopes: [...scopes] });
    expect(await talpa.whoActs(key)).toMatchObject({ isAdmin: true, apiKey: { scopes } });
    await talpa.sql`update auth.users set is_admin = false where id = ${admin.id}`;
    const acting = await talpa.whoActs(key);
    expect(acting).toMatchObject({ isAdmin: false });
    expect(acting?.apiKey?.scopes.filter((scope) => scope.startsWith('admin:'))).toEqual([]);
  });

  it('sends an email whose link revokes that key and none of before', async () => {
    const user = await newUser();
    const address = `${user.username}@example.com`;
    await giveEmail(talpa.sql, user.id, address);
    const own = await create(user, { name: 'Eigener' });
    const stolen = await create(user, { name: 'Gestohlen' });
    const inbox = inboxOf(server, address);
    const token = await until('the email', () => {
      const mail = inbox.mails().find(({ text }) => text?.includes('„Gestohlen“'));
      if (mail) expect(mail.text).not.toContain(stolen.key.split('_')[2]);
      return /#([\w-]{43})/.exec(mail?.text ?? '')?.[1];
    });
    await talpa.call('POST /api/intrusion-report', null, { token });
    await expect(talpa.whoActs(stolen.key)).rejects.toMatchObject(invalid);
    await expect(talpa.whoActs(own.key)).resolves.toMatchObject({ userId: user.id });
    expect(await talpa.whoHas(user.token)).toBeNull();
    const [row] = await audited('user.reportIntrusion', user.id);
    expect(row?.changes).toEqual({ password: {}, apiKey: {} });
  });
});

describe('a key of an administrator', () => {
  const keyActor = async (admin: TestUser) => {
    const actor = await talpa.whoActs((await create(admin, { scopes: [...scopes] })).key);
    if (!actor) throw new Error('auth has not signed the key');
    return actor;
  };

  it('changes users, but neither administrators nor a password, nor makes anybody an administrator', async () => {
    const [admin, other, user] = [await newAdmin(), await newAdmin(), await newUser()];
    const actor = await keyActor(admin);
    const change = (person: TestUser, given: Partial<RequestOf<Routes['PUT /api/admin/users/:id']>> = {}) =>
      talpa.call('PUT /api/admin/users/:id', actor, {
        ...{ id: person.id, username: person.username, isAdmin: person.actor.isAdmin, proxyLimit: 5 },
        ...{ subscriptionTier: 'basic', ...given },
      });
    const refusal = { code: 'session_required' };
    await expect(change(other)).rejects.toMatchObject(refusal);
    await expect(change(user, { isAdmin: true })).rejects.toMatchObject(refusal);
    await expect(change(user, { password: 'ganz-neu-123' })).rejects.toMatchObject(refusal);
    await expect(talpa.call('DELETE /api/admin/users/:id', actor, { id: other.id })).rejects.toMatchObject(
      refusal,
    );
    await talpa.call('POST /api/admin/users/:id/suspension', actor, { id: user.id, reason: 'Spam' });
    expect(await audited('user.suspend', user.id)).toMatchObject([
      { actor: { userId: admin.id, isAdmin: true, sessionId: null, apiKey: { name: 'Skript' } } },
    ]);
  });

  it('that was revoked meanwhile changes nobody, although its signature still holds', async () => {
    const [admin, user] = [await newAdmin(), await newUser()];
    const actor = await keyActor(admin);
    await talpa.sql`delete from auth.api_keys where user_id = ${admin.id}`;
    const suspend = talpa.call('POST /api/admin/users/:id/suspension', actor, {
      id: user.id,
      reason: 'Spam',
    });
    await expect(suspend).rejects.toMatchObject(invalid);
  });
});
