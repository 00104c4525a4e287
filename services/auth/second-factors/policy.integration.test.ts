import { type CommandOf, type FactorPolicy, factorPolicies } from '@talpa/contracts';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { addPasskey, softAuthenticator } from '@talpa/test-kit/passkeys';
import { appWith, setUpApp } from '@talpa/test-kit/second-factors';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';

const stores = useStores();
const publicUrl = 'https://panel.example.org';
const asked: Readonly<Record<FactorPolicy, { readonly user: boolean; readonly administrator: boolean }>> = {
  optional: { user: false, administrator: false },
  administrators: { user: false, administrator: true },
  everyone: { user: true, administrator: true },
};

describe.each(factorPolicies)('the policy “%s”', (policy) => {
  const talpa = useServices(stores, ['auth', 'billing', 'proxies', 'stats'], {
    SECOND_FACTOR: policy,
    PUBLIC_URL: publicUrl,
  });
  const { newUser, newAdmin, signIn, audited } = usersOf(talpa, `regel-${policy}-`);
  type TestUser = Awaited<ReturnType<typeof newUser>>;
  const actorNow = async ({ token }: TestUser) => {
    const actor = await talpa.whoHas(token);
    if (!actor) throw new Error('the session has ended');
    return actor;
  };
  const setUp = async (user: TestUser) => {
    const actor = await actorNow(user);
    return setUpApp((route, input) => talpa.call(route, actor, input));
  };
  const add = async (user: TestUser) => {
    const actor = await actorNow(user);
    return addPasskey((route, input) => talpa.call(route, actor, input), publicUrl);
  };
  /** Signs in with a passkey. */
  const enter = async ({ authenticator }: Awaited<ReturnType<typeof add>>) => {
    const passkey = authenticator.use(await talpa.call('POST /api/login/passkey/challenge', null, {}));
    return (await talpa.effects('POST /api/login/passkey', null, { passkey })).session;
  };
  const moveAway = (id: number) =>
    talpa.sql`update auth.passkeys set host = 'alt.example.org' where id = ${id}`;
  const refusal = { code: 'second_factor_missing' };

  it('asks for a second factor of exactly those it names, until they have one', async () => {
    for (const [user, isAsked] of [
      [await newUser(), asked[policy].user],
      [await newAdmin(), asked[policy].administrator],
    ] as const) {
      const before = await actorNow(user);
      expect(before.lacksFactor ?? false).toBe(isAsked);
      const list = talpa.call('GET /api/tunnel-configs', before, {});
      if (isAsked) await expect(list).rejects.toMatchObject(refusal);
      else await expect(list).resolves.toEqual([]);
      // Their password is all that those have who are to set one up.
      await talpa.call('POST /api/login', null, { username: user.username, password });
      await setUp(user);
      const after = await actorNow(user);
      expect(after).not.toHaveProperty('lacksFactor');
      await expect(talpa.call('GET /api/tunnel-configs', after, {})).resolves.toEqual([]);
    }
  });

  it('lets the API key of a user without a second factor in no further than their session', async () => {
    const { actor } = await newUser();
    const recent = { ...actor, lacksFactor: undefined };
    const input = { name: 'Skript', scopes: ['account:read' as const], days: null };
    const { key } = await talpa.call('POST /api/user/api-keys', recent, input);
    const acting = await talpa.whoActs(key);
    expect(acting?.lacksFactor ?? false).toBe(asked[policy].user);
    const read = talpa.call('GET /api/user/email', acting, {});
    if (asked[policy].user) await expect(read).rejects.toMatchObject(refusal);
    else await expect(read).resolves.toBeDefined();
    await expect(talpa.call('GET /api/user', acting, {})).resolves.toBeDefined();
  });

  it('lets those it names replace codes, but not remove their app', async () => {
    const user = await newAdmin();
    const { recoveryCodes } = await setUp(user);
    const [first = '', second = ''] = recoveryCodes;
    const actor = await actorNow(user);
    const remove = (code: string) => talpa.call('POST /api/user/authenticator/removal', actor, { code });
    if (asked[policy].administrator) {
      await expect(remove(first)).rejects.toMatchObject({ code: 'second_factor_mandatory' });
      // The refused call has not used the code up.
      await talpa.call('POST /api/user/recovery-codes', actor, { code: first });
    } else {
      await remove(second);
      expect(await actorNow(user)).not.toHaveProperty('lacksFactor');
    }
  });

  it('is satisfied by a passkey, and then takes no password alone', async () => {
    for (const [user, isAsked] of [
      [await newUser(), asked[policy].user],
      [await newAdmin(), asked[policy].administrator],
    ] as const) {
      const actor = await actorNow(user);
      const add = () => addPasskey((route, input) => talpa.call(route, actor, input), publicUrl);
      const { passkey, authenticator } = await add();
      const now = await actorNow(user);
      expect(now).not.toHaveProperty('lacksFactor');
      const calls = [
        () => talpa.call('POST /api/login', null, { username: user.username, password }),
        () => talpa.call('POST /api/user/step-up', now, { password }),
      ];
      for (const call of calls)
        if (isAsked) await expect(call()).rejects.toMatchObject({ code: 'passkey_required' });
        else await call();
      const used = authenticator.use(await talpa.call('POST /api/login/passkey/challenge', null, {}));
      const { session } = await talpa.effects('POST /api/login/passkey', null, { passkey: used });
      expect(await talpa.whoHas(session)).not.toHaveProperty('lacksFactor');

      await talpa.sql`update auth.passkeys set host = 'alt.example.org' where id = ${passkey.id}`;
      expect((await actorNow(user)).lacksFactor ?? false).toBe(isAsked);
      await talpa.sql`update auth.passkeys set host = 'panel.example.org' where id = ${passkey.id}`;
      const remove = (id = passkey.id) => talpa.call('DELETE /api/user/passkeys/:id', now, { id });
      // One of several is no loss, and one of a former address is none of them.
      const [second, former] = [(await add()).passkey, (await add()).passkey];
      await remove(second.id);
      await talpa.sql`update auth.passkeys set host = 'alt.example.org' where id = ${former.id}`;
      await remove(former.id);
      if (isAsked) await expect(remove()).rejects.toMatchObject({ code: 'second_factor_mandatory' });
      else await remove();
    }
  });

  it('asks again after an administrator has removed a user’s app', async () => {
    const [root, user] = [await newAdmin(), await newUser()];
    await setUp(root);
    await setUp(user);
    await talpa.call('DELETE /api/admin/users/:id/second-factor', await actorNow(root), { id: user.id });
    expect((await actorNow(user)).lacksFactor ?? false).toBe(asked[policy].user);
  });

  it('asks a user as soon as they become an administrator, and while they are suspended as a user', async () => {
    const [root, user] = [await newAdmin(), await newUser()];
    await setUp(root);
    await talpa.sql`update auth.users set is_admin = true where id = ${user.id}`;
    expect((await actorNow(user)).lacksFactor ?? false).toBe(asked[policy].administrator);
    await talpa.sql`update auth.users set suspended_at = now(), suspension_reason = 'r' where id = ${user.id}`;
    expect((await actorNow(user)).lacksFactor ?? false).toBe(asked[policy].user);
  });

  /** How somebody gets their first factor: what was before, and the way. */
  const firsts: Readonly<
    Record<string, readonly [(one: TestUser) => Promise<unknown>, typeof setUp | typeof add]>
  > = {
    'an app': [async () => {}, setUp],
    'a passkey': [async () => {}, add],
    'a passkey, where others belong to a former address': [
      async (user) => moveAway((await add(user)).passkey.id),
      add,
    ],
    'an app again, after an administrator has removed the factors': [
      async (user) => {
        const root = await newAdmin();
        await setUp(root);
        await setUp(user);
        const { id } = user;
        await talpa.call('DELETE /api/admin/users/:id/second-factor', await actorNow(root), { id });
      },
      setUp,
    ],
  };

  it.each(Object.keys(firsts))('ends all other sessions with the first factor: %s', async (name) => {
    const [prepare, begin] = firsts[name] ?? [];
    for (const user of [await newUser(), await newAdmin()]) {
      await prepare?.(user);
      const { session: stolen } = await signIn(user.username);
      const thief = await talpa.whoHas(stolen);
      if (!thief) throw new Error('the thief has no session');
      const planted = await talpa.call('POST /api/user/authenticator', thief, {});
      await begin?.(user);
      expect(await talpa.whoHas(stolen)).toBeNull();
      const code = appWith(planted.secret).now();
      const late = talpa.call('POST /api/user/authenticator/confirmation', thief, { code });
      await expect(late).rejects.toMatchObject({ code: 'no_pending_authenticator' });
      const own = await actorNow(user);
      await expect(talpa.call('GET /api/tunnel-configs', own, {})).resolves.toEqual([]);
      const rows = await audited(begin === add ? 'passkey.add' : 'user.addAuthenticator', user.id);
      expect(rows.map(({ changes }) => changes)).toContainEqual({ ended: { to: 1 } });
      await until('the end of visits begun there', () =>
        talpa
          .received<CommandOf<'proxies.endVisits'>>(commandSubject('proxies.endVisits'))
          .some(({ userId, except }) => userId === user.id && except === own.sessionId),
      );
    }
  });

  it('takes no passkey of a session that it has ended meanwhile', async () => {
    const user = await newUser();
    const { id, actor } = user;
    const options = await talpa.call('POST /api/user/passkeys/challenge', actor, {});
    const input = { name: 'P', passkey: softAuthenticator(publicUrl).make(options) };
    let late: Promise<unknown> = Promise.resolve();
    await talpa.sql.begin(async (sql) => {
      await sql`select 1 from auth.users where id = ${id} for no key update`;
      late = expect(talpa.call('POST /api/user/passkeys', actor, input)).rejects.toMatchObject({
        code: 'not_signed_in',
      });
      await until('it waits', async () => {
        const [row] = await talpa.sql`
          select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%from users%'`;
        return row !== undefined;
      });
      await sql`delete from auth.sessions where user_id = ${id}`;
    });
    await late;
    expect(await talpa.sql`select 1 from auth.passkeys where user_id = ${id}`).toHaveLength(0);
  });

  it('ends no session with another factor than the first', async () => {
    for (const [first, second] of [
      [setUp, setUp],
      [setUp, add],
      [add, setUp],
      [add, add],
    ]) {
      const user = await newUser();
      const had = await first?.(user);
      const key = had && 'authenticator' in had ? had : await add(user);
      const elsewhere = await enter(key);
      await second?.(user);
      expect(await talpa.whoHas(elsewhere)).not.toHaveProperty('lacksFactor');
    }
  });

  /** By what a second factor may come to be asked for after a sign-in with the password alone. */
  const beginnings: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
    'an address comes back that passkeys belong to': async () => {},
    'a user becomes an administrator': (id) =>
      talpa.sql`update auth.users set is_admin = true where id = ${id}`,
  };

  it.each(Object.keys(beginnings))(
    'lets a session made with the password prove the factor first: %s',
    async (name) => {
      const user = await newUser();
      const key = await add(user);
      await moveAway(key.passkey.id);
      const { session: token } = await signIn(user.username);
      const plain = { ...user, token };
      const planted = await talpa.call('POST /api/user/authenticator', await actorNow(plain), {});
      await talpa.sql`update auth.passkeys set host = 'panel.example.org' where id = ${key.passkey.id}`;
      const elsewhere = await enter(key);
      await beginnings[name]?.(user.id);
      const isAdmin = name === 'a user becomes an administrator';
      const isAsked = asked[policy][isAdmin ? 'administrator' : 'user'];

      const actor = await actorNow(plain);
      expect(actor.lacksFactor ?? false).toBe(isAsked);
      expect(await talpa.whoHas(elsewhere)).not.toHaveProperty('lacksFactor');
      if (!isAsked) return;
      await expect(talpa.call('GET /api/tunnel-configs', actor, {})).rejects.toMatchObject(refusal);
      for (const [route, input] of [
        ['POST /api/user/authenticator', {}],
        ['POST /api/user/passkeys/challenge', {}],
      ] as const)
        await expect(talpa.call(route, actor, input)).rejects.toMatchObject({ code: 'step_up_required' });
      const code = appWith(planted.secret).now();
      await expect(
        talpa.call('POST /api/user/authenticator/confirmation', actor, { code }),
      ).rejects.toMatchObject({ code: 'no_pending_authenticator' });
      await expect(talpa.call('POST /api/user/step-up', actor, { password })).rejects.toMatchObject({
        code: 'passkey_required',
      });
      expect(await talpa.call('GET /api/user/second-factor', actor, {})).toMatchObject({ isProven: false });
      const passkey = key.authenticator.use(await talpa.call('POST /api/user/step-up/challenge', actor, {}));
      await talpa.call('POST /api/user/step-up', actor, { passkey });
      const proven = await actorNow(plain);
      expect(proven).not.toHaveProperty('lacksFactor');
      expect(await talpa.call('GET /api/user/second-factor', proven, {})).toMatchObject({ isProven: true });
    },
  );
});
