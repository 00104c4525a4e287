import { randomUUID } from 'node:crypto';
import type { CommandOf, User } from '@talpa/contracts';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { until, waitForProjectionsAlone } from '@talpa/test-kit/wait';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

const talpa = useServices(useStores(), ['auth', 'billing', 'proxies'], { PROVISION_WAIT_MS: '100' });
const { newUser, newAdmin, signIn, audited, published, changedEvents } = usersOf(talpa, 'carla');
const nobody = 987_654;
let admin: Awaited<ReturnType<typeof newAdmin>>;
beforeAll(async () => {
  admin = await newAdmin();
});

const refused = (code: string) => ({ code });
/** What the form of a user sends when nothing is changed. */
const formOf = ({ id, username, isAdmin, proxyLimit, subscriptionTier }: User) => ({
  ...{ id, username, isAdmin, proxyLimit, subscriptionTier },
});
const read = (id: number) => talpa.call('GET /api/admin/users/:id', admin.actor, { id });

afterEach(() => vi.unstubAllGlobals());

describe('a user whom an administrator creates', () => {
  it('has the ordered plan and limit everywhere as soon as the call returns', async () => {
    waitForProjectionsAlone();
    const input = { username: 'dora', password, isAdmin: true, subscriptionTier: 'basic' as const };
    const user = await talpa.call('POST /api/admin/users', admin.actor, input);
    expect(user).toMatchObject({
      ...{ username: 'dora', isAdmin: true, subscriptionTier: 'basic', proxyLimit: 3 },
      suspension: null,
    });
    expect(await read(user.id)).toEqual(user);
    expect(await talpa.call('GET /api/admin/users', admin.actor, { tier: 'basic' })).toContainEqual(user);
    const may = await talpa.call('GET /api/user/subscription/can-create-proxy', actorOf(user.id), {});
    expect(may).toMatchObject({ limit: 3 });
    expect(await audited('user.create', user.id)).toMatchObject([
      {
        actor: { userId: admin.id },
        target: { kind: 'user', id: String(user.id), label: 'dora' },
        changes: { isAdmin: { to: true }, subscriptionTier: { to: 'basic' }, proxyLimit: { to: 3 } },
      },
    ]);
    const [order] = talpa
      .received<CommandOf<'billing.setSubscription'>>(commandSubject('billing.setSubscription'))
      .filter(({ userId }) => userId === user.id);
    expect(order).toMatchObject({ tier: 'basic', proxyLimit: 3, version: 1 });
    expect(Date.parse(order?.at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await signIn('dora');
  });

  it('has another limit than the plan’s if that is given, and none without a plan', async () => {
    const base = { password, isAdmin: false };
    const more = { ...base, username: 'dora-2', subscriptionTier: 'free' as const, proxyLimit: 8 };
    expect(await talpa.call('POST /api/admin/users', admin.actor, more)).toMatchObject({ proxyLimit: 8 });
    const none = { ...base, username: 'dora-3', subscriptionTier: null };
    expect(await talpa.call('POST /api/admin/users', admin.actor, none)).toMatchObject({ proxyLimit: 0 });
  });

  it('is created once for one key, whose repetition gets the same user', async () => {
    const key = randomUUID();
    const input = { username: 'emma', password, subscriptionTier: 'premium' as const };
    const create = (username: string) =>
      talpa.call('POST /api/admin/users', admin.actor, { ...input, username }, key);
    const user = await create('emma');
    expect(await create('emma')).toMatchObject({ id: user.id, subscriptionTier: 'premium', proxyLimit: 10 });
    await expect(create('emmy')).rejects.toMatchObject(refused('idempotency_key_reused'));
  });

  it('who becomes an administrator has no reset link from before, which took no step-up', async () => {
    const { id } = await newUser();
    const { path } = await talpa.call('POST /api/admin/users/:id/reset-link', admin.actor, { id });
    const form = { ...formOf(await read(id)), isAdmin: true };
    await talpa.call('PUT /api/admin/users/:id', admin.actor, form);
    const input = { token: path.split('#')[1] ?? '', newPassword: 'ganz-neu-123' };
    await expect(talpa.call('POST /api/password-reset', null, input)).rejects.toMatchObject(
      refused('reset_link_invalid'),
    );
  });

  it('may get a reserved name', async () => {
    const input = { username: 'support', password, isAdmin: false };
    expect(await talpa.call('POST /api/admin/users', admin.actor, input)).toMatchObject({
      username: 'support',
    });
  });

  it('does not get a name that somebody has', async () => {
    const { username } = await newUser();
    await expect(
      talpa.call('POST /api/admin/users', admin.actor, { username, password }),
    ).rejects.toMatchObject(refused('username_taken'));
  });
});

describe('an administrator’s call', () => {
  const calls = (id: number, by: typeof admin.actor) => [
    talpa.call('POST /api/admin/users', by, { username: `frida-${randomUUID().slice(0, 8)}`, password }),
    talpa.call('DELETE /api/admin/users/:id', by, { id }),
    talpa.call('DELETE /api/admin/users/:id/sessions', by, { id }),
    talpa.call('POST /api/admin/users/:id/suspension', by, { id, reason: 'r' }),
    talpa.call('DELETE /api/admin/users/:id/suspension', by, { id }),
    talpa.call('PUT /api/admin/users/:id', by, {
      ...{ id, username: 'frida', proxyLimit: 1, subscriptionTier: 'free' as const },
    }),
  ];

  it('does nothing once the session has ended or the rights are gone, whatever was signed before', async () => {
    const user = await newUser();
    const [gone, demoted, suspended] = [await newAdmin(), await newAdmin(), await newAdmin()];
    await talpa.sql`delete from auth.sessions where user_id = ${gone.id}`;
    await talpa.sql`update auth.users set is_admin = false where id = ${demoted.id}`;
    await talpa.sql`
      update auth.users set suspended_at = now(), suspension_reason = 'r' where id = ${suspended.id}`;
    for (const [by, code] of [
      [gone, 'not_signed_in'],
      [demoted, 'forbidden'],
      [suspended, 'forbidden'],
    ] as const)
      for (const call of await Promise.allSettled(calls(user.id, by.actor)))
        expect(call).toMatchObject({ status: 'rejected', reason: { code } });
    expect(await read(user.id)).toMatchObject({ username: user.username, suspension: null });
  });

  it('about nobody is refused', async () => {
    const [, ...others] = calls(nobody, admin.actor);
    for (const call of await Promise.allSettled([...others, read(nobody)]))
      expect(call).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
  });
});

describe('a user whom an administrator edits', () => {
  it('has the new values as soon as the call returns, and the log has what was changed', async () => {
    waitForProjectionsAlone();
    const user = await newUser();
    const before = changedEvents(user.id);
    const form = { ...formOf(await read(user.id)), proxyLimit: 5, subscriptionTier: 'premium' as const };
    const response = await talpa.call('PUT /api/admin/users/:id', admin.actor, {
      ...{ ...form, username: 'gerda', isAdmin: true },
    });
    expect(response).toMatchObject({
      ...{ id: user.id, username: 'gerda', isAdmin: true, proxyLimit: 5, subscriptionTier: 'premium' },
    });
    expect(await read(user.id)).toEqual(response);
    expect(published(user.id).at(-1)).toMatchObject({ username: 'gerda', isAdmin: true, version: 2 });
    expect(await audited('user.update', user.id)).toMatchObject([
      {
        target: { kind: 'user', id: String(user.id), label: 'gerda' },
        changes: {
          username: { from: user.username, to: 'gerda' },
          isAdmin: { from: false, to: true },
          proxyLimit: { from: 0, to: 5 },
          subscriptionTier: { from: null, to: 'premium' },
        },
      },
    ]);
    // Once by the edit, once by billing's snapshot of the plan.
    await until('both changes', () => changedEvents(user.id) >= before + 2);
    expect(await talpa.whoHas(user.token)).toMatchObject({ isAdmin: true });
    await signIn('gerda');
    await expect(signIn(user.username)).rejects.toMatchObject(refused('invalid_credentials'));
  });

  it('keeps sessions and password when none is given; with a new one all sessions end', async () => {
    const user = await newUser();
    const form = formOf(await read(user.id));
    const save = (given?: string) =>
      talpa.call('PUT /api/admin/users/:id', admin.actor, { ...form, password: given });
    await save('');
    await save();
    await signIn(user.username);
    expect(await talpa.whoHas(user.token)).not.toBeNull();
    await save('ganz-neu-123');
    expect(await talpa.whoHas(user.token)).toBeNull();
    await expect(signIn(user.username)).rejects.toMatchObject(refused('invalid_credentials'));
    await signIn(user.username, 'ganz-neu-123');
    const rows = await audited('user.update', user.id);
    expect(rows.map(({ changes }) => changes)).toContainEqual({ password: {} });
  });

  it('keeps the administrator’s own session when they give themselves a new password', async () => {
    const other = await newAdmin();
    const form = { ...formOf(await read(other.id)), password: 'ganz-neu-123' };
    await talpa.call('PUT /api/admin/users/:id', other.actor, form);
    expect(await talpa.whoHas(other.token)).not.toBeNull();
  });

  it('is not overwritten when somebody else has changed it meanwhile', async () => {
    const user = await newUser();
    const { id, ...expected } = formOf(await read(user.id));
    const save = (username: string) =>
      talpa.call('PUT /api/admin/users/:id', admin.actor, { id, ...expected, username, expected });
    await save('herta');
    await expect(save('helga')).rejects.toMatchObject(refused('edit_conflict'));
    expect(await read(id)).toMatchObject({ username: 'herta' });
  });

  it('does not get another’s name, and may keep one that looks like another’s by now', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const form = formOf(await read(user.id));
    const save = (username: string) =>
      talpa.call('PUT /api/admin/users/:id', admin.actor, { ...form, username });
    await expect(save(other.username)).rejects.toMatchObject(refused('username_taken'));
    await expect(save(`${other.username}.`)).rejects.toMatchObject(refused('username_similar'));
    await talpa.sql`
      update auth.users set skeletons = (select skeletons from auth.users where id = ${user.id})
      where id = ${other.id}`;
    await save(user.username);
  });
});

describe('a suspended user', () => {
  const suspend = (id: number, reason: string) =>
    talpa.call('POST /api/admin/users/:id/suspension', admin.actor, { id, reason });
  const lift = (id: number) => talpa.call('DELETE /api/admin/users/:id/suspension', admin.actor, { id });

  it('stays signed in without an administrator’s rights, and everyone knows why', async () => {
    const user = await newAdmin();
    const before = changedEvents(user.id);
    const response = await suspend(user.id, 'Spam');
    expect(response.suspension).toMatchObject({ reason: 'Spam' });
    expect(changedEvents(user.id)).toBeGreaterThan(before);
    expect(await talpa.whoHas(user.token)).toMatchObject({ isAdmin: false, suspensionReason: 'Spam' });
    expect(published(user.id).at(-1)).toMatchObject({ suspension: { reason: 'Spam' }, version: 2 });
    const again = await suspend(user.id, 'Betrug');
    expect(again.suspension).toEqual({ reason: 'Betrug', since: response.suspension?.since });
    expect(await suspend(user.id, 'Betrug')).toEqual(again);
    const signedIn = await talpa.call('POST /api/login', null, { username: user.username, password });
    expect(signedIn).toMatchObject({ isAdmin: false, suspension: { reason: 'Betrug' } });
    await lift(user.id);
    expect(await talpa.whoHas(user.token)).toMatchObject({ isAdmin: true });
    expect(await audited('user.suspend', user.id)).toMatchObject([
      {
        target: { kind: 'user', id: String(user.id), label: user.username },
        changes: { reason: { from: null, to: 'Spam' } },
      },
      { changes: { reason: { from: 'Spam', to: 'Betrug' } } },
    ]);
    expect(await audited('user.liftSuspension', user.id)).toMatchObject([
      { changes: { reason: { from: 'Betrug', to: null } } },
    ]);
  });

  it.each([
    'POST /api/tunnel-configs',
    'PUT /api/tunnel-configs/:id',
    'POST /api/recreate-tunnel/:id',
    'GET /api/tunnel-configs/:id/tunnel-token',
    'GET /api/subdomain-availability',
  ] as const)('is not refused %s once that is lifted, though the snapshot is late', async (call) => {
    const user = await newUser();
    await talpa.call('POST /api/user/subscription', user.actor, { planId: 'basic' });
    const entries = { serverName: 'Server', serverIP: '127.0.0.1', adminPort: 40_120 };
    const customUrl = `spaet-${randomUUID().slice(0, 8)}`;
    const input = { ...entries, customUrl };
    const { proxy } = await talpa.call('POST /api/tunnel-configs', user.actor, input);
    await suspend(user.id, 'Spam');
    const { id } = proxy;
    const other = `${customUrl}-2`;
    const inputs = { ...entries, customUrl: other, id, subdomain: other, proxyId: id };
    await expect(talpa.call(call, user.actor, inputs as never)).rejects.toMatchObject(
      refused('account_suspended'),
    );
    // As lifting does, but nothing is published.
    await talpa.sql`
      update auth.users set suspended_at = null, suspension_reason = null, version = version + 1
      where id = ${user.id}`;
    // Without a tunnel there is no token, and nothing to replace while it is being set up.
    const [{ code } = { code: 'served' }] = await talpa.call(call, user.actor, inputs as never).then(
      () => [],
      (error) => [error as { code: string }],
    );
    expect(['served', 'proxy_pending']).toContain(code);
    expect(await talpa.call('GET /api/tunnel-configs/:id', user.actor, { id })).toMatchObject({
      suspension: null,
    });
  });

  it('is never the administrator who suspends', async () => {
    await expect(suspend(admin.id, 'r')).rejects.toMatchObject(refused('self_suspension'));
  });
});

describe('an administrator who signs a user out', () => {
  it('ends all the user’s sessions, of their own all but this one, and the log counts them', async () => {
    const user = await newUser();
    const end = (id: number, by = admin.actor) =>
      talpa.call('DELETE /api/admin/users/:id/sessions', by, { id });
    await signIn(user.username);
    const before = changedEvents(user.id);
    await end(user.id);
    await until('the end', () => changedEvents(user.id) > before);
    await end(user.id);
    expect(await talpa.whoHas(user.token)).toBeNull();
    expect(await audited('session.endAll', user.id)).toMatchObject([
      {
        target: { kind: 'user', id: String(user.id), label: user.username },
        changes: { ended: { to: 2 } },
      },
    ]);
    const self = await newAdmin();
    await signIn(self.username);
    await end(self.id, self.actor);
    expect(await talpa.sql`select id from auth.sessions where user_id = ${self.id}`).toEqual([
      { id: self.actor.sessionId },
    ]);
  });
});

describe('a deleted user', () => {
  it('is gone for good, but no administrator deletes themselves', async () => {
    const user = await newUser();
    const remove = (id: number) => talpa.call('DELETE /api/admin/users/:id', admin.actor, { id });
    await remove(user.id);
    expect(await talpa.whoHas(user.token)).toBeNull();
    await expect(remove(user.id)).rejects.toMatchObject(refused('not_found'));
    await expect(remove(admin.id)).rejects.toMatchObject(refused('self_deletion'));
    await until('the tombstone', () => published(user.id).at(-1)?.deleted);
  });
});
