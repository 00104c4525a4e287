import type { User } from '@talpa/contracts';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { beforeAll, describe, expect, it } from 'vitest';

const talpa = useServices(useStores(), ['auth', 'billing', 'proxies']);
const { newUser, newAdmin, signIn, audited, published, changedEvents } = usersOf(talpa, 'lena');
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

describe('the list of users', () => {
  it('is filtered by plan, role and state and searched by name', async () => {
    const [plain, boss, out] = [await newUser(), await newAdmin(), await newUser()];
    await talpa.sql`update auth.users set current_tier = 'enterprise' where id = ${plain.id}`;
    await talpa.sql`
      update auth.users set suspended_at = now(), suspension_reason = 'r' where id = ${out.id}`;
    const list = async (filter: Record<string, unknown>) => {
      const rows = await talpa.call('GET /api/admin/users', admin.actor, { ...filter, limit: 100 } as never);
      return rows.map(({ id }) => id);
    };
    expect(await list({ tier: 'enterprise' })).toEqual([plain.id]);
    const none = await list({ tier: 'none' });
    expect(none).toContain(out.id);
    expect(none).not.toContain(plain.id);
    expect(await list({ role: 'admin' })).toEqual(expect.arrayContaining([admin.id, boss.id]));
    expect(await list({ role: 'admin' })).not.toContain(plain.id);
    expect(await list({ role: 'user' })).not.toContain(boss.id);
    expect(await list({ role: 'user' })).toContain(plain.id);
    expect(await list({ state: 'suspended' })).toContain(out.id);
    expect(await list({ state: 'suspended' })).not.toContain(plain.id);
    expect(await list({ state: 'active' })).not.toContain(out.id);
    expect(await list({ state: 'active' })).toContain(plain.id);
    expect(await list({ q: plain.username.toUpperCase() })).toContain(plain.id);
    expect(await list({ q: 'niemand-da' })).toEqual([]);
    const all = await list({});
    expect(all).toEqual(all.toSorted((a, b) => a - b));
  });
});

describe('the operator', () => {
  it('makes administrators, whose name must be free', async () => {
    const username = 'ida-admin';
    await talpa.ask('auth.createAdmin', { username, password });
    const user = await talpa.call('POST /api/login', null, { username, password });
    expect(user).toMatchObject({ isAdmin: true, subscriptionTier: null });
    expect(await audited('user.create', user.id)).toMatchObject([
      {
        target: { kind: 'user', id: String(user.id), label: username },
        changes: { isAdmin: { to: true } },
      },
    ]);
    await expect(talpa.ask('auth.createAdmin', { username, password })).rejects.toMatchObject(
      refused('username_taken'),
    );
  });

  it('lets somebody in again: password, rights and suspension are set right, sessions end', async () => {
    const user = await newUser();
    // As somebody who signs in through a provider alone.
    await talpa.sql`
      update auth.users set suspended_at = now(), suspension_reason = 'Spam', has_password = false where id = ${user.id}`;
    const before = changedEvents(user.id);
    await talpa.ask('auth.resetAdmin', { username: user.username, password: 'ganz-neu-123' });
    expect(changedEvents(user.id)).toBeGreaterThan(before);
    expect(await talpa.whoHas(user.token)).toBeNull();
    const { session } = await signIn(user.username, 'ganz-neu-123');
    expect(await talpa.call('GET /api/user/second-factor', user.actor, {})).toMatchObject({
      hasPassword: true,
    });
    expect(await talpa.whoHas(session)).toEqual(
      actorOf(user.id, { isAdmin: true, sessionId: expect.any(String), provedAt: expect.any(Number) }),
    );
    expect(await audited('user.reset', user.id)).toMatchObject([
      {
        target: { kind: 'user', id: String(user.id), label: user.username },
        changes: {
          password: {},
          isAdmin: { from: false, to: true },
          reason: { from: 'Spam', to: null },
        },
      },
    ]);
    expect(published(user.id).at(-1)).toMatchObject({ isAdmin: true, suspension: null, version: 2 });
    await expect(talpa.ask('auth.resetAdmin', { username: 'niemand-da', password })).rejects.toMatchObject(
      refused('not_found'),
    );
  });

  it('makes no first administrator where there is one', async () => {
    const input = { username: 'erster', password };
    expect(await talpa.ask('auth.ensureFirstAdmin', input)).toEqual({ created: false });
  });

  it('has all users published once more, deleted ones as tombstones', async () => {
    const [here, gone] = [await newUser(), await newUser()];
    await talpa.call('DELETE /api/admin/users/:id', admin.actor, { id: gone.id });
    await until('the tombstone', () => published(gone.id).at(-1)?.deleted);
    const [counts] = [published(here.id).length, published(gone.id).length];
    const [row] = await talpa.sql<{ count: number }[]>`
      select (select count(*) from auth.users)::integer
        + (select count(*) from auth.deleted_users)::integer as count`;
    expect(await talpa.ask('auth.republish', {})).toEqual({ count: row?.count });
    await until('the snapshots', () => published(here.id).length > counts);
    await until('the tombstone', () => published(gone.id).length > 2);
    expect(published(gone.id).at(-1)).toMatchObject({ deleted: true, username: '', version: 2 });
    const page = await talpa.ask('auth.readUsers', { after: here.id - 1 });
    expect(page.snapshots[0]).toEqual(published(here.id).at(-1));
    expect(page.next).toBeNull();
  });
});

describe('the last administrator', () => {
  it('is neither demoted nor deleted by their own hand; where there is none, one is made, once', async () => {
    await talpa.sql`update auth.users set is_admin = false where id <> ${admin.id}`;
    const other = await newAdmin();
    await talpa.sql`
      update auth.users set suspended_at = now(), suspension_reason = 'r' where id = ${other.id}`;
    const stays = formOf(await read(admin.id));
    await talpa.call('PUT /api/admin/users/:id', admin.actor, stays);
    const form = { ...stays, isAdmin: false };
    const last = refused('last_administrator');
    await expect(talpa.call('PUT /api/admin/users/:id', admin.actor, form)).rejects.toMatchObject(last);
    await expect(talpa.call('POST /api/user/deletion', admin.actor, { password })).rejects.toMatchObject(
      last,
    );
    expect(await talpa.whoHas(admin.token)).toMatchObject({ isAdmin: true });
    const first = (username: string) => talpa.ask('auth.ensureFirstAdmin', { username, password });
    expect(await first('erster')).toEqual({ created: false });
    await talpa.sql`update auth.users set is_admin = false`;
    const both = await Promise.all([first('erster'), first('zweiter')]);
    expect(both.filter(({ created }) => created)).toHaveLength(1);
    const username = both[0]?.created ? 'erster' : 'zweiter';
    const user = await talpa.call('POST /api/login', null, { username, password });
    expect(user).toMatchObject({ isAdmin: true });
    expect(await audited('user.create', user.id)).toMatchObject([
      { target: { kind: 'user', id: String(user.id), label: username }, changes: { isAdmin: { to: true } } },
    ]);
  });
});
