import { hash } from '@node-rs/argon2';
import type { EventOf, Preferences } from '@talpa/contracts';
import { eventSubject, preferencesSubject, userChangedSubject } from '@talpa/service-kit/bus/subjects';
import { giveEmail } from '@talpa/test-kit/emails';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';

const talpa = useServices(useStores(), ['auth', 'billing', 'proxies', 'stats', 'notifications'], {
  RESERVED_NAMES: 'boss',
});
const password = 'geheim-123';

let users = 0;
/** Somebody who has registered, and the session that came with it. */
async function newUser() {
  users += 1;
  const username = `berta${users}`;
  const { session } = await talpa.effects('POST /api/register', null, { username, password });
  const actor = await talpa.whoHas(session);
  if (!actor) throw new Error('no session came with the registration');
  const { userId } = actor;
  return {
    ...{ username, userId, actor, token: session },
    signIn: async () => {
      const signedIn = await talpa.effects('POST /api/login', null, { username, password });
      return { token: signedIn.session, actor: await talpa.whoHas(signedIn.session) };
    },
    audited: (action: string) => talpa.audited('auth', userId, action),
    published: () => talpa.received<EventOf<'user'>>(eventSubject('user', String(userId))),
    changedEvents: () => talpa.received(userChangedSubject('auth', userId)).length,
    sessions: () => talpa.sql`select id from auth.sessions where user_id = ${userId} order by created_at`,
  };
}
const refused = (code: string) => ({ code });

describe('a registration', () => {
  it('creates an account without a plan, signs it in and publishes its snapshot', async () => {
    users += 1;
    const username = `Berta${users}`;
    const user = await talpa.call('POST /api/register', null, { username, password });
    expect(user).toEqual({
      ...{ id: user.id, username, isAdmin: false, proxyLimit: 0, suspension: null },
      ...{ subscriptionTier: null, subscriptionExpiry: null },
    });
    const [published] = await until('the snapshot', () => {
      const all = talpa.received<EventOf<'user'>>(eventSubject('user', String(user.id)));
      return all.length > 0 && all;
    });
    expect(published).toMatchObject({
      id: user.id,
      username,
      isAdmin: false,
      deleted: false,
      suspension: null,
    });
    const [row] = await talpa.audited('auth', user.id);
    const [session] = await talpa.sql`select id from auth.sessions where user_id = ${user.id}`;
    expect(row).toMatchObject({
      action: 'user.register',
      actor: { userId: user.id, isAdmin: false, sessionId: session?.id },
      target: { kind: 'user', id: String(user.id), label: username },
    });
  });

  it('is refused for a name that is taken or reserved, whatever its case', async () => {
    const { username } = await newUser();
    const register = (name: string) => talpa.call('POST /api/register', null, { username: name, password });
    await expect(register(username.toUpperCase())).rejects.toMatchObject(refused('username_taken'));
    for (const name of [
      'Boss',
      'B0ss',
      'b.o.s.s',
      'adm1n',
      'Adrnin_x',
      'SUPP0RT',
      'rn0derat0r',
      'admin1',
      'аdmin2',
    ])
      await expect(register(name), name).rejects.toMatchObject(refused('username_reserved'));
  });
});

describe('signing in', () => {
  it('opens another session, recorded in the log with its id', async () => {
    const user = await newUser();
    const response = await talpa.call('POST /api/login', null, {
      username: user.username.toUpperCase(),
      password,
    });
    expect(response).toMatchObject({ id: user.userId, username: user.username, isAdmin: false });
    const { actor } = await user.signIn();
    expect(actor).toMatchObject({ userId: user.userId, isAdmin: false });
    expect((await user.sessions()).length).toBe(3);
    expect(await user.audited('session.signIn')).toContainEqual(
      expect.objectContaining({
        actor: expect.objectContaining({ userId: user.userId, isAdmin: false, sessionId: actor?.sessionId }),
        target: { kind: 'session', id: actor?.sessionId, label: null },
      }),
    );
  });

  it('renews a hash of another cost, and leaves one of today’s as it is', async () => {
    const user = await newUser();
    const stored = async () => {
      const [row] = await talpa.sql<{ passwordHash: string }[]>`
        select password_hash from auth.users where id = ${user.userId}`;
      return row?.passwordHash ?? '';
    };
    const cheap = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await talpa.sql`update auth.users set password_hash = ${cheap} where id = ${user.userId}`;
    await user.signIn();
    const renewed = await stored();
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,/);
    await user.signIn();
    expect(await stored()).toBe(renewed);
  });

  it('says the same of an unknown name and of a wrong password', async () => {
    const { username } = await newUser();
    const wrong = { username, password: 'falsch-123' };
    const unknown = { username: 'niemand-da', password };
    for (const input of [wrong, unknown])
      await expect(talpa.call('POST /api/login', null, input)).rejects.toMatchObject({
        code: 'invalid_credentials',
        issues: undefined,
      });
  });
});

describe('the caller’s sessions', () => {
  it('are listed, the last used first, and say which of them asks and from where it was opened', async () => {
    const user = await newUser();
    const { actor } = await user.signIn();
    await talpa.sql`
      update auth.sessions set last_used_at = now() - interval '1 hour' where id = ${user.actor.sessionId}`;
    expect(await talpa.call('GET /api/user/sessions', user.actor, {})).toMatchObject([
      { id: actor?.sessionId, current: false, address: '192.0.2.1', userAgent: 'test' },
      { id: user.actor.sessionId, current: true },
    ]);
  });

  it('that begin, and that end because there are too many, invalidate all caches; one more among few ends none', async () => {
    const user = await newUser();
    const before = user.changedEvents();
    await user.signIn();
    await until('the event', () => user.changedEvents() > before);
    expect(await user.sessions()).toHaveLength(2);
    await talpa.sql`
      insert into auth.sessions (user_id, expires_at, last_used_at, address, user_agent)
      select ${user.userId}, now() + interval '1 day', now() - number * interval '1 minute', '192.0.2.1', 'old'
      from generate_series(1, 98) number`;
    const full = user.changedEvents();
    await user.signIn();
    await until('the event', () => user.changedEvents() > full);
    expect(await user.sessions()).toHaveLength(100);
  });

  it('end with a sign-out, once in the log and once for all caches', async () => {
    const user = await newUser();
    const before = user.changedEvents();
    await talpa.call('POST /api/logout', user.actor, {});
    await until('the event', () => user.changedEvents() > before);
    expect(await talpa.whoHas(user.token)).toBeNull();
    await talpa.call('POST /api/logout', user.actor, {});
    await talpa.call('POST /api/logout', null, {});
    expect(await user.audited('session.signOut')).toMatchObject([
      { target: { kind: 'session', id: user.actor.sessionId, label: null } },
    ]);
    expect(user.changedEvents() - before).toBe(1);
  });

  it('end one by one, never another’s', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const { actor, token } = await user.signIn();
    const id = actor?.sessionId ?? '';
    const end = (by: typeof user) => talpa.call('DELETE /api/user/sessions/:id', by.actor, { id });
    await expect(end(other)).rejects.toMatchObject(refused('not_found'));
    expect(await talpa.whoHas(token)).toMatchObject({ userId: user.userId });
    await end(user);
    expect(await talpa.whoHas(token)).toBeNull();
    await expect(end(user)).rejects.toMatchObject(refused('not_found'));
    expect(await user.audited('session.end')).toMatchObject([
      { target: { kind: 'session', id, label: null } },
    ]);
  });

  it('end all but the one that asks, which the log counts where there were any', async () => {
    const user = await newUser();
    await talpa.call('DELETE /api/user/sessions', user.actor, {});
    await user.signIn();
    await user.signIn();
    const before = user.changedEvents();
    await talpa.call('DELETE /api/user/sessions', user.actor, {});
    await until('the event', () => user.changedEvents() > before);
    expect(await user.sessions()).toEqual([{ id: user.actor.sessionId }]);
    expect(await user.audited('session.endOthers')).toMatchObject([
      { target: { kind: 'session', id: String(user.userId), label: null }, changes: { ended: { to: 2 } } },
    ]);
  });
});

describe('the caller’s password', () => {
  const change = (user: Awaited<ReturnType<typeof newUser>>, currentPassword: string) =>
    talpa.call('POST /api/user/password', user.actor, { currentPassword, newPassword: 'ganz-neu-123' });

  it('is changed by a user who knows it, which ends the other sessions', async () => {
    const user = await newUser();
    await user.signIn();
    await expect(change(user, 'falsch-123')).rejects.toMatchObject({
      code: 'wrong_password',
      issues: [{ path: ['currentPassword'], key: 'passwordWrong' }],
    });
    expect((await user.sessions()).length).toBe(2);
    await change(user, password);
    expect(await user.sessions()).toEqual([{ id: user.actor.sessionId }]);
    await expect(user.signIn()).rejects.toMatchObject(refused('invalid_credentials'));
    await talpa.call('POST /api/login', null, { username: user.username, password: 'ganz-neu-123' });
    expect(await user.audited('user.changePassword')).toMatchObject([
      { target: { kind: 'user', id: String(user.userId), label: user.username } },
    ]);
  });

  it('is no use to one whose account is gone', async () => {
    const gone = { actor: actorOf(987_654) } as Awaited<ReturnType<typeof newUser>>;
    await expect(change(gone, password)).rejects.toMatchObject(refused('not_signed_in'));
  });
});

describe('preferences', () => {
  it('have defaults until they are saved, and then those; the log names which group has changed', async () => {
    const user = await newUser();
    const before = user.changedEvents();
    const get = () => talpa.call('GET /api/user/preferences', user.actor, {});
    const defaults = await get();
    const changed = inDark(defaults);
    const response = await talpa.call('POST /api/user/preferences', user.actor, changed);
    expect(response).toEqual(changed);
    expect(await get()).toEqual(changed);
    const [row] = await user.audited('user.changePreferences');
    expect(row).toMatchObject({ target: { kind: 'user', id: String(user.userId), label: user.username } });
    expect(row?.changes).toEqual({ appearance: {} });
    expect(user.changedEvents() - before).toBe(1);
    expect(talpa.received(preferencesSubject(user.userId)).length).toBe(1);
  });

  it('that were changed meanwhile are not overwritten', async () => {
    const user = await newUser();
    const defaults = await talpa.call('GET /api/user/preferences', user.actor, {});
    const changed = inDark(defaults);
    const save = (saved: Preferences, expected: Preferences) =>
      talpa.call('POST /api/user/preferences', user.actor, { ...saved, expected });
    await save(changed, defaults);
    await expect(save(defaults, defaults)).rejects.toMatchObject(refused('edit_conflict'));
    expect(await save(defaults, changed)).toEqual(defaults);
  });

  it('are nobody’s when the account is gone', async () => {
    const gone = actorOf(987_654);
    await expect(talpa.call('GET /api/user/preferences', gone, {})).rejects.toMatchObject(
      refused('not_signed_in'),
    );
    const defaults = await talpa.call('GET /api/user/preferences', (await newUser()).actor, {});
    await expect(talpa.call('POST /api/user/preferences', gone, defaults)).rejects.toMatchObject(
      refused('not_signed_in'),
    );
  });
});

const inDark = (from: Preferences): Preferences => ({
  ...from,
  appearance: { ...from.appearance, theme: from.appearance.theme === 'dark' ? 'light' : 'dark' },
});

describe('who asks about themselves', () => {
  it('gets their access for as long as it is true', async () => {
    const user = await newUser();
    const end = new Date(Date.now() + 86_400_000);
    await talpa.sql`
      insert into auth.entitlements (user_id, tier, proxy_limit, expires_at, version, deleted)
      values (${user.userId}, 'basic', 4, ${end}, 1, false)`;
    const seen = await talpa.call('GET /api/user', user.actor, {});
    expect(seen).toMatchObject({
      ...{ username: user.username, subscriptionTier: 'basic', proxyLimit: 4 },
      subscriptionExpiry: end.toISOString(),
    });
    expect((await talpa.effects('GET /api/user', user.actor, {})).freshUntil).toBe(end.toISOString());
    await expect(talpa.call('GET /api/user', actorOf(987_654), {})).rejects.toMatchObject(
      refused('not_signed_in'),
    );
  });
});

describe('an account', () => {
  const remove = (user: Awaited<ReturnType<typeof newUser>>, given: string) =>
    talpa.call('POST /api/user/deletion', user.actor, { password: given });

  it('is deleted by a user who knows its password, and leaves a tombstone without its name', async () => {
    const user = await newUser();
    await expect(remove(user, 'falsch-123')).rejects.toMatchObject({
      code: 'wrong_password',
      issues: [{ path: ['password'], key: 'passwordWrong' }],
    });
    const before = user.changedEvents();
    await remove(user, password);
    expect(await talpa.whoHas(user.token)).toBeNull();
    await expect(user.signIn()).rejects.toMatchObject(refused('invalid_credentials'));
    await until('the tombstone', () => user.published().length === 2);
    const [alive, gone] = user.published();
    expect(gone).toEqual({
      ...{ id: user.userId, username: '', isAdmin: false, suspension: null, deleted: true },
      notifications: { email: false, system: true, maintenance: true },
      ...{ createdAt: alive?.createdAt, version: 2 },
    });
    expect(await user.audited('user.delete')).toMatchObject([
      { target: { kind: 'user', id: String(user.userId), label: user.username } },
    ]);
    expect(user.changedEvents()).toBeGreaterThan(before);
    await expect(remove(user, password)).rejects.toMatchObject(refused('not_signed_in'));
  });

  it('is exported whole: what auth holds, and what each owner says', async () => {
    const user = await newUser();
    await user.signIn();
    await user.audited('session.signIn');
    for (const address of ['alt@example.com', 'neu@example.com'])
      await giveEmail(talpa.sql, user.userId, address);
    await talpa.sql`
      insert into auth.email_addresses (user_id, address, address_key, undeliverable_at)
      values (${user.userId}, 'Bald@example.com', 'bald@example.com', now())`;
    // The export leaves a row of its own: each is asked for once.
    await until('both audit rows', async () => {
      const rows = await talpa.sql`select 1 from stats.audit where subject_user_id = ${user.userId}`;
      return rows.length === 2;
    });
    const whole = await talpa.call('GET /api/user/export', user.actor, {});
    expect(whole.audit).toHaveLength(2);
    expect(Date.parse(whole.exportedAt)).toBeGreaterThan(Date.now() - 60_000);
    expect(whole).toMatchObject({
      user: { id: user.userId, username: user.username, isAdmin: false, suspension: null },
      subscription: { tier: null, proxyLimit: 0 },
      proxies: [],
      next: null,
    });
    expect(whole.sessions).toHaveLength(2);
    const enteredAt = expect.stringMatching(/^\d{4}-.*Z$/);
    const [verifiedAt, endedAt] = [enteredAt, enteredAt];
    expect(whole.emails).toEqual([
      { address: 'alt@example.com', enteredAt, verifiedAt, undeliverableSince: null, endedAt },
      { address: 'neu@example.com', enteredAt, verifiedAt, undeliverableSince: null, endedAt: null },
      {
        address: 'Bald@example.com',
        enteredAt,
        verifiedAt: null,
        undeliverableSince: enteredAt,
        endedAt: null,
      },
    ]);
    expect(whole.preferences).toEqual(await talpa.call('GET /api/user/preferences', user.actor, {}));
  });

  it('is exported by nobody who is not there, and no part goes on with a made-up place', async () => {
    const user = await newUser();
    for (const wrong of ['x', Buffer.from('{"proxies":"1"}').toString('base64url')])
      await expect(talpa.call('GET /api/user/export', user.actor, { cursor: wrong })).rejects.toMatchObject({
        issues: [{ path: ['cursor'], key: 'invalid' }],
      });
    await expect(talpa.call('GET /api/user/export', actorOf(987_654), {})).rejects.toMatchObject(
      refused('not_signed_in'),
    );
  });
});
