import { createHash } from 'node:crypto';
import { monthsAfter, type RequestOf, type Routes } from '@talpa/contracts';
import { startLyingProvider } from '@talpa/test-kit/own-providers';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteEnded } from '../cleaner.ts';

const publicUrl = 'https://panel.example.com';
const provider = await startLyingProvider();
afterAll(() => provider.stop());
const env = {
  ...{ PUBLIC_URL: publicUrl, REGISTRATION: 'invite' },
  SIGN_IN_PROVIDERS: JSON.stringify([{ ...provider.settings, createAccounts: true }]),
};
const talpa = useServices(useStores(), ['auth', 'billing'], env);
const { audited } = usersOf(talpa, 'unused');

let people = 0;
const register = async (code?: string, username = `gast${++people}`) =>
  talpa.call('POST /api/register', null, { username, password, ...(code ? { invitation: code } : {}) });
let admin: { id: number; actor: NonNullable<Awaited<ReturnType<typeof talpa.whoHas>>> };
beforeAll(async () => {
  await talpa.ask('auth.ensureFirstAdmin', { username: 'chefin', password });
  const { session } = await talpa.effects('POST /api/login', null, { username: 'chefin', password });
  const actor = await talpa.whoHas(session);
  if (!actor) throw new Error('nobody is signed in');
  admin = { id: actor.userId, actor };
});

const refused = (code: string) => ({ code });
const invalid = refused('invitation_invalid');
const invite = (input: RequestOf<Routes['POST /api/admin/invitations']> = {}) =>
  talpa.call('POST /api/admin/invitations', admin.actor, input);
const list = (input: RequestOf<Routes['GET /api/admin/invitations']> = {}) =>
  talpa.call('GET /api/admin/invitations', admin.actor, input);
const shown = async (id: number) => (await list()).find((one) => one.id === id);
const registered = async (id: number) =>
  (await talpa.call('GET /api/admin/invitations/:id/users', admin.actor, { id })).map((user) => user.id);

describe('where REGISTRATION is “invite”', () => {
  it('nobody registers without a code, nor with a wrong one', async () => {
    await expect(register()).rejects.toMatchObject(refused('invitation_required'));
    await expect(register('0000-0000-0000')).rejects.toMatchObject(invalid);
    // Nor do they learn which names there are.
    await expect(register(undefined, 'chefin')).rejects.toMatchObject(refused('invitation_required'));
    await expect(register('0000-0000-0000', 'chefin')).rejects.toMatchObject(invalid);
  });

  it('nobody gets an account through a provider, though the operator lets it create some', async () => {
    const client = { address: '192.0.2.1', userAgent: 'test', device: 'browser' };
    const start = { provider: provider.settings.id };
    const { url } = await talpa.call('POST /api/login/provider/request', null, start, undefined, client);
    const answer = await provider.signIn(url, 'gast');
    await expect(
      talpa.call('POST /api/login/provider', null, answer, undefined, client),
    ).rejects.toMatchObject(refused('identity_not_linked'));
    const input = { challenge: 'x'.repeat(43), username: 'gast' };
    await expect(
      talpa.call('POST /api/register/provider', null, input, undefined, client),
    ).rejects.toMatchObject(refused('registration_closed'));
  });

  it('administrators still create users', async () => {
    const input = { username: 'von-hand', password, subscriptionTier: null };
    expect(await talpa.call('POST /api/admin/users', admin.actor, input)).toMatchObject({
      username: 'von-hand',
    });
  });
});

describe('an invitation', () => {
  it('lets somebody register, however they write its code, and gives the plan and its end', async () => {
    const made = await invite({ subscriptionTier: 'premium', months: 3, note: 'Für Jan' });
    expect(made.code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-?){3}$/);
    expect(made.url).toBe(`${publicUrl}/auth#invite=${made.code}`);
    const before = new Date();
    const typed = made.code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    const user = await register(typed);
    expect(user).toMatchObject({ subscriptionTier: 'premium', proxyLimit: 10 });
    const [row] = await until('the plan', async () => {
      const rows = await talpa.sql<{ tier: string; expiresAt: Date }[]>`
          select tier, expires_at from billing.subscriptions where user_id = ${user.id}`;
      return rows.length > 0 && rows;
    });
    expect(row?.tier).toBe('premium');
    expect(row?.expiresAt.getTime()).toBeGreaterThanOrEqual(monthsAfter(before, 3).getTime());
    expect(row?.expiresAt.getTime()).toBeLessThanOrEqual(monthsAfter(new Date(), 3).getTime());
    expect(await shown(made.invitation.id)).toMatchObject({ state: 'used_up', used: 1, uses: 1 });
    expect(await registered(made.invitation.id)).toEqual([user.id]);
  });

  it('without a plan gives none, and a plan without months does not end', async () => {
    const none = await register((await invite()).code);
    expect(none).toMatchObject({ subscriptionTier: null, proxyLimit: 0 });
    const endless = await register((await invite({ subscriptionTier: 'basic' })).code);
    const rows = await until('the plan', async () => {
      const found =
        await talpa.sql`select expires_at from billing.subscriptions where user_id = ${endless.id}`;
      return found.length > 0 && found;
    });
    expect(rows).toEqual([{ expiresAt: null }]);
  });

  it('is never used more often than it may, by however many at once', async () => {
    const { code, invitation } = await invite({ uses: 3 });
    const names = Array.from({ length: 8 }, (_, n) => `gleichzeitig${n}`);
    const all = await Promise.allSettled(names.map((name) => register(code, name)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject(invalid);
    expect(await shown(invitation.id)).toMatchObject({ used: 3, state: 'used_up' });
    expect(await registered(invitation.id)).toHaveLength(3);
    const [users] = await talpa.sql<{ count: number }[]>`
      select count(*)::integer as count from auth.users where username = any(${names})`;
    expect(users?.count).toBe(3);
  });

  it('is listed page by page, by its note, with the day it expires', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const ids: number[] = [];
    for (const note of ['Turnier Nord', 'Turnier Süd', 'Verein İzmir'])
      ids.push((await invite({ note, expiresAt, uses: 2 })).invitation.id);
    const found = { q: 'TURNIER S' };
    expect(await list(found)).toMatchObject([{ id: ids[1], note: 'Turnier Süd', expiresAt, state: 'open' }]);
    // The database lowers it, as it does the note: for some letters we would do it otherwise.
    expect((await list({ q: 'Verein İzmir' })).map(({ id }) => id)).toEqual([ids[2]]);
    // So few letters are looked for where a note begins.
    expect((await list({ q: 'Tu' })).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const page = { q: 'turnier', limit: 1 };
    const { next, total } = await talpa.effects('GET /api/admin/invitations', admin.actor, page);
    expect(total).toBe('2');
    expect((await list({ ...page, cursor: next ?? '' })).map(({ id }) => id)).toEqual([ids[1]]);
    const rows = await until('the log', async () => {
      const all = await audited('invitation.create', admin.id);
      return all.some(({ target }) => target.id === String(ids[1])) && all;
    });
    expect(rows.find(({ target }) => target.id === String(ids[0]))?.changes).toMatchObject({
      expiresAt: { to: expiresAt },
    });
  });

  it('is not used up by a registration that is refused', async () => {
    const { code, invitation } = await invite();
    await expect(register(code, 'chefin')).rejects.toMatchObject(refused('username_taken'));
    await expect(register(code, 'nobody-else')).rejects.toMatchObject(refused('username_reserved'));
    expect(await shown(invitation.id)).toMatchObject({ used: 0, state: 'open' });
    await register(code);
  });

  it('that has expired, was revoked or used up is refused like one that nobody made', async () => {
    const [expired, revoked] = [await invite(), await invite({ uses: 5 })];
    await talpa.sql`
      update auth.invitations set expires_at = now() - interval '1 second' where id = ${expired.invitation.id}`;
    const first = await register(revoked.code);
    await talpa.call('DELETE /api/admin/invitations/:id', admin.actor, { id: revoked.invitation.id });
    for (const { code } of [expired, revoked]) await expect(register(code)).rejects.toMatchObject(invalid);
    expect(await shown(expired.invitation.id)).toMatchObject({ state: 'expired' });
    expect(await shown(revoked.invitation.id)).toMatchObject({ state: 'revoked', used: 1 });
    expect(await registered(revoked.invitation.id)).toEqual([first.id]);
    const open = (await list({ state: 'open' })).map(({ state }) => state);
    expect(new Set(open)).not.toContain('revoked');
    expect((await list({ state: 'ended' })).map(({ id }) => id)).toEqual(
      expect.arrayContaining([expired.invitation.id, revoked.invitation.id]),
    );
  });

  it('keeps its code to itself: stored as a hash, in no list and no activity log', async () => {
    const { code, invitation } = await invite({ note: 'Für Mia', subscriptionTier: 'basic', months: 1 });
    const plain = code.replaceAll('-', '');
    const [row] = await talpa.sql`select code_hash from auth.invitations where id = ${invitation.id}`;
    expect(row?.codeHash).toEqual(createHash('sha256').update(plain).digest());
    const user = await register(code);
    const rows = [
      ...(await audited('invitation.create', admin.id)),
      ...(await audited('user.register', user.id)),
    ];
    const text = JSON.stringify([rows, await list()]);
    expect(text).not.toContain(code);
    expect(text).not.toContain(plain);
    expect(rows.find(({ target }) => target.id === String(invitation.id))).toMatchObject({
      actor: { userId: admin.id },
      target: { kind: 'invitation', label: 'Für Mia' },
      changes: { tier: { to: 'basic' }, months: { to: 1 }, uses: { to: 1 } },
    });
    // The new user reads this row too: the administrator's note is not in it.
    const own = rows.find(({ subjectUserId }) => subjectUserId === user.id);
    expect(own?.changes).toEqual({ invitation: { to: invitation.id }, subscriptionTier: { to: 'basic' } });
  });

  it('forgets who used it with their account, and still counts the use', async () => {
    const { code, invitation } = await invite({ uses: 2 });
    const user = await register(code);
    await talpa.call('DELETE /api/admin/users/:id', admin.actor, { id: user.id });
    expect(await registered(invitation.id)).toEqual([]);
    expect(await shown(invitation.id)).toMatchObject({ used: 1, state: 'open' });
  });

  it('is forgotten 90 days after its end, not before', async () => {
    const [old, recent, open] = [await invite(), await invite(), await invite()];
    const age = (id: number, interval: string) => talpa.sql`
      update auth.invitations set revoked_at = now() - ${interval}::interval where id = ${id}`;
    await age(old.invitation.id, '91 days');
    await age(recent.invitation.id, '89 days');
    await talpa.sql.begin(async (sql) => {
      await sql`set local search_path = auth`;
      await deleteEnded(sql);
    });
    const left = (await list()).map(({ id }) => id);
    expect(left).not.toContain(old.invitation.id);
    expect(left).toEqual(expect.arrayContaining([recent.invitation.id, open.invitation.id]));
  });

  it('is refused where it makes no sense, and revoked once', async () => {
    const wrong = (field: string, key: string) => ({
      code: 'invalid_input',
      issues: [{ path: [field], key }],
    });
    for (const subscriptionTier of [null, 'free'] as const)
      await expect(invite({ subscriptionTier, months: 1 })).rejects.toMatchObject(
        wrong('months', 'monthsWithoutPlan'),
      );
    await expect(invite({ expiresAt: '2020-01-01T00:00:00.000Z' })).rejects.toMatchObject(
      wrong('expiresAt', 'inPast'),
    );
    const [{ invitation }, last] = [await invite({ note: 'Für Ole' }), await invite()];
    const revoke = (id: number) => talpa.call('DELETE /api/admin/invitations/:id', admin.actor, { id });
    await revoke(invitation.id);
    await revoke(invitation.id);
    await revoke(last.invitation.id);
    const targets = await until('the last in the log', async () => {
      const rows = (await audited('invitation.revoke', admin.id)).map(({ target }) => target);
      return rows.some(({ id }) => id === String(last.invitation.id)) && rows;
    });
    expect(targets.filter(({ id }) => id === String(invitation.id))).toEqual([
      { kind: 'invitation', id: String(invitation.id), label: 'Für Ole' },
    ]);
    for (const call of [revoke, registered])
      await expect(call(999_999)).rejects.toMatchObject(refused('not_found'));
  });
});
