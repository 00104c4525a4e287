import { createHash } from 'node:crypto';
import type { CommandOf } from '@talpa/contracts';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { giveEmail } from '@talpa/test-kit/emails';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { beforeAll, describe, expect, it } from 'vitest';
import { deleteEnded } from '../cleaner.ts';

const publicUrl = 'https://panel.example.com';
const talpa = useServices(useStores(), ['auth'], { PUBLIC_URL: publicUrl });
const { newUser, newAdmin, signIn, audited, changedEvents } = usersOf(talpa, 'rita');
let admin: Awaited<ReturnType<typeof newAdmin>>;
beforeAll(async () => {
  admin = await newAdmin();
});

const newPassword = 'ganz-neu-123';
const refused = (code: string) => ({ code });
const makeLink = (id: number) => talpa.call('POST /api/admin/users/:id/reset-link', admin.actor, { id });
const makeToken = async (id: number) => (await makeLink(id)).path.replace('/reset#', '');
const reset = (token: string, password = newPassword) =>
  talpa.call('POST /api/password-reset', null, { token, newPassword: password });
const tokensOf = (id: number) => talpa.sql<{ hashes: Buffer[]; usedAt: Date | null }[]>`
  select hashes, used_at from auth.one_time_tokens where user_id = ${id}`;

/** What auth does now and then. */
const clean = () =>
  talpa.sql.begin(async (sql) => {
    await sql`set local search_path = auth`;
    await deleteEnded(sql);
  });

describe('a reset link', () => {
  it('sets a new password once, ends every session at once, and its email names the API keys that go on', async () => {
    const user = await newUser();
    await giveEmail(talpa.sql, user.id, 'rita@example.com');
    const other = await signIn(user.username);
    const token = await makeToken(user.id);
    const before = changedEvents(user.id);
    for (const [name, days] of [
      ['Backup', null],
      ['Bot', 30],
      ['Abgelaufen', -1],
    ] as const)
      await talpa.sql`
        insert into auth.api_keys (user_id, name, secret_hash, scopes, networks, expires_at, announced_by)
        values (${user.id}, ${name}, sha256(${name}::bytea), '{proxies:read}', '{}',
          now() + ${days} * interval '1 day', gen_random_uuid())`;
    await reset(token);
    expect(await talpa.whoHas(user.token)).toBeNull();
    expect(await talpa.whoHas(other.session)).toBeNull();
    await until('the gateways to be notified', () => changedEvents(user.id) > before);
    const mails = () =>
      talpa
        .received<CommandOf<'notifications.sendMail'>>(commandSubject('notifications.sendMail'))
        .filter(({ userId }) => userId === user.id);
    await until('the mail', () => mails().length > 0);
    expect(mails()).toMatchObject([
      { mail: { kind: 'password_changed', params: { apiKeys: 'Backup, Bot' } } },
    ]);
    await signIn(user.username, newPassword);
    await expect(signIn(user.username)).rejects.toMatchObject(refused('invalid_credentials'));
    await expect(reset(token, 'noch-einmal-1')).rejects.toMatchObject(refused('reset_link_used'));
    await signIn(user.username, newPassword);
  });

  it('counts for one alone of two who use it at once', async () => {
    const user = await newUser();
    const token = await makeToken(user.id);
    const passwords = ['erster-tab-1', 'zweiter-tab-1'];
    const both = await Promise.allSettled(passwords.map((one) => reset(token, one)));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: refused('reset_link_used'),
    });
    const winner = both.findIndex(({ status }) => status === 'fulfilled');
    await signIn(user.username, passwords[winner]);
  });

  it('gives an account a password that had none', async () => {
    const user = await newUser();
    await talpa.sql`update auth.users set has_password = false where id = ${user.id}`;
    await reset(await makeToken(user.id));
    expect(await talpa.call('GET /api/user/second-factor', user.actor, {})).toMatchObject({
      hasPassword: true,
    });
  });

  it('is void once there is a newer one', async () => {
    const user = await newUser();
    const [first, second] = [await makeToken(user.id), await makeToken(user.id)];
    await expect(reset(first)).rejects.toMatchObject(refused('reset_link_invalid'));
    await reset(second);
  });

  it('is one alone when two are made at once', async () => {
    const user = await newUser();
    const tokens = await Promise.all([makeToken(user.id), makeToken(user.id)]);
    const results = [];
    for (const token of tokens) results.push(...(await Promise.allSettled([reset(token)])));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('expires after half an hour, says so, and is forgotten a day later', async () => {
    const user = await newUser();
    const asked = Date.now();
    const link = await makeLink(user.id);
    const lasts = new Date(link.expiresAt).getTime() - asked;
    expect(lasts).toBeGreaterThanOrEqual(30 * 60_000);
    expect(lasts).toBeLessThan(31 * 60_000);
    const age = (interval: string) => talpa.sql`
      update auth.one_time_tokens set expires_at = now() - ${interval}::interval where user_id = ${user.id}`;
    await age('1 second');
    const token = link.path.replace('/reset#', '');
    await expect(reset(token)).rejects.toMatchObject(refused('reset_link_expired'));
    await clean();
    expect(await tokensOf(user.id)).toHaveLength(1);
    await age('1 day 1 minute');
    await clean();
    expect(await tokensOf(user.id)).toEqual([]);
    await signIn(user.username);
  });

  it.each(['its owner', 'an administrator', 'the operator'])(
    'is void once %s has changed the password',
    async (who) => {
      const user = await newUser();
      const token = await makeToken(user.id);
      const changed = 'inzwischen-neu-1';
      if (who === 'its owner')
        await talpa.call('POST /api/user/password', user.actor, {
          currentPassword: password,
          newPassword: changed,
        });
      else if (who === 'the operator')
        await talpa.ask('auth.resetAdmin', { username: user.username, password: changed });
      else {
        const { id, username } = user;
        const form = { id, username, isAdmin: false, proxyLimit: 0, subscriptionTier: null };
        await talpa.call('PUT /api/admin/users/:id', admin.actor, { ...form, password: changed });
      }
      await expect(reset(token)).rejects.toMatchObject(refused('reset_link_invalid'));
      await signIn(user.username, changed);
    },
  );

  it('and a change of the password at the same moment never overwrite each other', async () => {
    const user = await newUser();
    const token = await makeToken(user.id);
    const changed = 'inzwischen-neu-1';
    const input = { currentPassword: password, newPassword: changed };
    const [byLink, byOwner] = await Promise.allSettled([
      reset(token),
      talpa.call('POST /api/user/password', user.actor, input),
    ]);
    expect([byLink.status, byOwner.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    await signIn(user.username, byLink.status === 'fulfilled' ? newPassword : changed);
  });

  it('survives an edit that leaves the password, and a sign-in', async () => {
    const user = await newUser();
    const token = await makeToken(user.id);
    const { id, username } = user;
    const form = { id, username, isAdmin: false, proxyLimit: 0, subscriptionTier: null };
    await talpa.call('PUT /api/admin/users/:id', admin.actor, { ...form, password: '' });
    await signIn(username);
    await reset(token);
  });

  it('is that of PUBLIC_URL, its secret behind the # and stored as a hash alone', async () => {
    const user = await newUser();
    const { url, path } = await makeLink(user.id);
    expect(url).toBe(publicUrl + path);
    expect(path).toMatch(/^\/reset#[\w-]{43}$/);
    const hash = createHash('sha256').update(path.replace('/reset#', '')).digest();
    expect(await tokensOf(user.id)).toEqual([{ hashes: [hash], usedAt: null }]);
    const rows = await audited('user.createResetLink', user.id);
    expect(JSON.stringify(rows)).not.toContain(path.replace('/reset#', ''));
  });

  it('is in the activity log: who made it, and that it was used', async () => {
    const user = await newUser();
    await reset(await makeToken(user.id));
    const target = { kind: 'user', id: String(user.id), label: user.username };
    expect(await audited('user.createResetLink', user.id)).toMatchObject([
      { actor: { userId: admin.id, isAdmin: true }, target },
    ]);
    expect(await audited('user.resetPassword', user.id)).toMatchObject([
      { actor: { userId: user.id, isAdmin: false, sessionId: null }, target, changes: {} },
    ]);
  });

  it('is made by the operator too, for a name that exists', async () => {
    const user = await newUser();
    const { path } = await talpa.ask('auth.createResetLinkByName', { username: user.username.toUpperCase() });
    await reset(path.replace('/reset#', ''));
    expect(await audited('user.createResetLink', user.id)).toMatchObject([{ actor: null }]);
    await expect(talpa.ask('auth.createResetLinkByName', { username: 'niemand-da' })).rejects.toMatchObject(
      refused('not_found'),
    );
  });

  it('is made for nobody who is not there', async () => {
    await expect(makeLink(987_654)).rejects.toMatchObject(refused('not_found'));
  });

  it('is made by nobody who has ceased to be an administrator', async () => {
    const [user, former] = [await newUser(), await newAdmin()];
    await talpa.sql`update auth.users set is_admin = false where id = ${former.id}`;
    const { id } = user;
    await expect(
      talpa.call('POST /api/admin/users/:id/reset-link', former.actor, { id }),
    ).rejects.toMatchObject(refused('forbidden'));
    expect(await tokensOf(id)).toEqual([]);
  });

  it('leaves a suspension as it is', async () => {
    const user = await newUser();
    await talpa.sql`
      update auth.users set suspended_at = now(), suspension_reason = 'Spam' where id = ${user.id}`;
    await reset(await makeToken(user.id));
    const { session } = await signIn(user.username, newPassword);
    expect(await talpa.whoHas(session)).toMatchObject({ suspensionReason: 'Spam' });
  });

  it('goes with its account, and one that does not exist reveals nothing', async () => {
    const user = await newUser();
    const token = await makeToken(user.id);
    await talpa.call('DELETE /api/admin/users/:id', admin.actor, { id: user.id });
    expect(await tokensOf(user.id)).toEqual([]);
    for (const unknown of [token, 'x', 'A'.repeat(43)])
      await expect(reset(unknown)).rejects.toMatchObject({ code: 'reset_link_invalid', issues: undefined });
  });
});
