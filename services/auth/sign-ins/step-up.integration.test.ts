import type { Actor, RequestOf, RouteName, Routes, SessionActor } from '@talpa/contracts';
import { setUpApp } from '@talpa/test-kit/second-factors';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { describe, expect, it } from 'vitest';

const talpa = useServices(useStores(), ['auth', 'billing', 'proxies'], { PROVISION_WAIT_MS: '100' });
const { newUser, newAdmin, signIn } = usersOf(talpa, 'beweis');
type TestUser = Awaited<ReturnType<typeof newUser>>;

/** Who a session belongs to, as services see it. */
async function actorOf({ token }: Pick<TestUser, 'token'>): Promise<SessionActor> {
  const actor = await talpa.whoHas(token);
  if (!actor) throw new Error('the session has ended');
  return actor;
}
/** The same, so many minutes after the last sign-in or step-up. */
async function later(person: TestUser, minutes = 11): Promise<SessionActor> {
  const { sessionId } = person.actor;
  await talpa.sql`
    update auth.sessions set proved_at = now() - ${`${minutes} minutes`}::interval where id = ${sessionId}`;
  return actorOf(person);
}
const refusal = { code: 'step_up_required' };
const newPassword = 'ganz-neu-123';
const suspension = { reason: 'Spam' };
const addApp = (person: TestUser) => setUpApp((route, input) => talpa.call(route, person.actor, input));
const withApp = async () => {
  const person = await newUser();
  await addApp(person);
  return person;
};
const start = (actor: Actor) => talpa.call('POST /api/user/authenticator', actor, {});
const prove = (actor: Actor, input: RequestOf<Routes['POST /api/user/step-up']>) =>
  talpa.call('POST /api/user/step-up', actor, input);

describe('a step-up', () => {
  it('is needed ten minutes after the sign-in, and takes the right password', async () => {
    const user = await newUser();
    await start(await later(user, 9));
    const actor = await later(user);
    await expect(start(actor)).rejects.toMatchObject(refusal);
    await expect(prove(actor, { password: 'falsch-123' })).rejects.toMatchObject({ code: 'wrong_password' });
    await expect(prove(actor, {})).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(start(await actorOf(user))).rejects.toMatchObject(refusal);
    await prove(actor, { password });
    await start(await actorOf(user));
  });

  it('takes a code of users with a second factor, and not their password', async () => {
    const user = await newUser();
    const { app, recoveryCodes } = await addApp(user);
    const actor = await later(user);
    await expect(prove(actor, { password })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(prove(actor, { password, code: '000000' })).rejects.toMatchObject({ code: 'wrong_code' });
    expect(await actorOf(user)).toEqual(actor);
    for (const code of [app.next(), recoveryCodes[0] ?? '']) {
      await later(user);
      await prove(actor, { code });
      expect((await actorOf(user)).provedAt).toBeGreaterThan(Date.now() - 60_000);
      await expect(prove(actor, { code })).rejects.toMatchObject({ code: 'wrong_code' });
    }
  });

  it('counts for its own session, and for no other of the same user', async () => {
    const user = await newUser();
    const { session } = await signIn(user.username);
    const elsewhere = { ...user, token: session, actor: await actorOf({ token: session }) };
    const old = await later(elsewhere);
    await prove(await later(user), { password });
    await start(await actorOf(user));
    expect(await actorOf(elsewhere)).toEqual(old);
    await expect(start(old)).rejects.toMatchObject(refusal);
  });
});

type Sometimes = {
  [N in RouteName]: Routes[N] extends { readonly stepUp: 'sometimes' } ? N : never;
}[RouteName];
/** Who calls with which input, long after their sign-in. */
type Call<N extends RouteName> = readonly [TestUser, RequestOf<Routes[N]>];
type Examples = {
  readonly [N in Sometimes]: () => Promise<{
    readonly refused: readonly Call<N>[];
    readonly served: readonly Call<N>[];
  }>;
};

/** An administrator's call is refused for another one, and served for a user. */
async function forOne<I>(inputOf: (person: TestUser) => I) {
  const [admin, other, user] = [await newAdmin(), await newAdmin(), await newUser()];
  return { refused: [[admin, inputOf(other)]], served: [[admin, inputOf(user)]] } as const;
}
const userInput = ({ id, username }: TestUser, isAdmin: boolean) =>
  ({ id, username, isAdmin, proxyLimit: 0, subscriptionTier: null }) as const;

const examples: Examples = {
  'POST /api/user/password': async () => {
    const input = { currentPassword: password, newPassword };
    return { refused: [[await withApp(), input]], served: [[await newUser(), input]] };
  },
  'POST /api/user/deletion': async () => ({
    refused: [[await withApp(), { password }]],
    served: [[await newUser(), { password }]],
  }),
  'POST /api/user/preferences': async () => {
    const user = await newUser();
    await talpa.call('POST /api/user/preferences', user.actor, { email: 'ich@example.com' });
    return {
      refused: ['dieb@example.com', ''].map((email) => [user, { email }] as const),
      served: [
        [user, { appearance: { theme: 'light' } }],
        [user, { email: 'ich@example.com' }],
      ],
    };
  },
  'POST /api/admin/users': async () => {
    const admin = await newAdmin();
    const input = (isAdmin: boolean) => ({ username: `neu.${admin.username}`, password, isAdmin });
    return { refused: [[admin, input(true)]], served: [[admin, input(false)]] };
  },
  'PUT /api/admin/users/:id': async () => {
    const [admin, other, user] = [await newAdmin(), await newAdmin(), await newUser()];
    return {
      refused: [
        [admin, userInput(other, true)],
        [admin, userInput(other, false)],
        [admin, userInput(user, true)],
        [admin, { ...userInput(admin, true), password: newPassword }],
      ],
      served: [[admin, { ...userInput(user, false), password: newPassword }]],
    };
  },
  'DELETE /api/admin/users/:id': () => forOne(({ id }) => ({ id })),
  'POST /api/admin/users/:id/reset-link': () => forOne(({ id }) => ({ id })),
  'POST /api/admin/users/:id/suspension': () => forOne(({ id }) => ({ id, ...suspension })),
  'DELETE /api/admin/users/:id/sessions': async () => {
    const { refused, served } = await forOne(({ id }) => ({ id }));
    const [[admin]] = served;
    return { refused, served: [...served, [admin, { id: admin.id }]] };
  },
  'DELETE /api/admin/users/:id/suspension': async () => {
    const calls = await forOne(({ id }) => ({ id }));
    for (const [admin, { id }] of [...calls.refused, ...calls.served])
      await talpa.call('POST /api/admin/users/:id/suspension', admin.actor, { id, ...suspension });
    return calls;
  },
};

describe('a call that needs a step-up of some users or for some inputs', () => {
  it.each(Object.keys(examples) as Sometimes[])(
    'is refused and served as the contract says: %s',
    async (name) => {
      const { refused, served } = await examples[name]();
      const send = async ([person, input]: Call<Sometimes>) =>
        talpa.call<Sometimes>(name, { ...(await later(person)), isAdmin: person.actor.isAdmin }, input);
      for (const call of refused) await expect(send(call)).rejects.toMatchObject(refusal);
      for (const call of served) await send(call);
    },
  );
});
