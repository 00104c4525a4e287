import type { RequestOf, RouteName, Routes, SessionActor } from '@talpa/contracts';
import { giveEmail, makeSecretOf } from '@talpa/test-kit/emails';
import { appWith, setUpApp } from '@talpa/test-kit/second-factors';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { beforeAll, describe, expect, it } from 'vitest';

const talpa = useServices(useStores(), ['auth', 'billing'], { SECOND_FACTOR: 'everyone' });
const { newUser, newAdmin, signIn, audited, mailed } = usersOf(talpa, 'geplant');
type TestUser = Awaited<ReturnType<typeof newUser>>;
let admin: Awaited<ReturnType<typeof newAdmin>>;
const actorOf = async (token: string | null): Promise<SessionActor> => {
  const actor = await talpa.whoHas(token);
  if (!actor) throw new Error('the session has ended');
  return actor;
};
beforeAll(async () => {
  const made = await newAdmin();
  await setUpApp((route, input) => talpa.call(route, made.actor, input));
  admin = { ...made, actor: { ...(await actorOf(made.token)), isAdmin: true } };
});

const as =
  (actor: SessionActor) =>
  <N extends RouteName>(route: N, input: RequestOf<Routes[N]>) =>
    talpa.call(route, actor, input);
const start = (actor: SessionActor) => as(actor)('POST /api/user/authenticator', {});
const confirm = (actor: SessionActor, secret: string) =>
  as(actor)('POST /api/user/authenticator/confirmation', { code: appWith(secret).now() });
const newPassword = 'ganz-neu-123';
const resetWith = (token: string) => talpa.call('POST /api/password-reset', null, { token, newPassword });

interface Case {
  readonly owner: TestUser;
  readonly thief: SessionActor;
}
/** Whatever ends the session of a thief; what the password is then. */
const ends: Readonly<Record<string, (one: Case) => Promise<string | undefined>>> = {
  'the owner changes their password': async ({ owner }) => {
    const changed = { currentPassword: password, newPassword };
    await talpa.call('POST /api/user/password', { ...owner.actor, lacksFactor: undefined }, changed);
    return newPassword;
  },
  'the owner ends all other sessions': async ({ owner }) => {
    await talpa.call('DELETE /api/user/sessions', { ...owner.actor, lacksFactor: undefined }, {});
    return password;
  },
  'the owner ends it': async ({ owner, thief }) => {
    const id = thief.sessionId;
    await talpa.call('DELETE /api/user/sessions/:id', { ...owner.actor, lacksFactor: undefined }, { id });
    return password;
  },
  'the thief signs out': async ({ thief }) => {
    await as(thief)('POST /api/logout', {});
    return password;
  },
  'the owner uses a reset link': async ({ owner: { id } }) => {
    const { path } = await as(admin.actor)('POST /api/admin/users/:id/reset-link', { id });
    await resetWith(path.split('#')[1] ?? '');
    return newPassword;
  },
  'the owner reports the email about it': async ({ owner: { id } }) => {
    const token = await makeSecretOf(talpa.sql, id, 'not_me');
    await talpa.call('POST /api/intrusion-report', null, { token });
    const { path } = await as(admin.actor)('POST /api/admin/users/:id/reset-link', { id });
    await resetWith(path.split('#')[1] ?? '');
    return newPassword;
  },
  'an administrator signs them out': async ({ owner: { id } }) => {
    await as(admin.actor)('DELETE /api/admin/users/:id/sessions', { id });
    return password;
  },
  'an administrator sets a password': async ({ owner: { id, username } }) => {
    const user = { id, username, isAdmin: false, proxyLimit: 0, subscriptionTier: null };
    await as(admin.actor)('PUT /api/admin/users/:id', { ...user, password: newPassword });
    return newPassword;
  },
  'the operator lets them in': async ({ owner: { username } }) => {
    await talpa.ask('auth.resetAdmin', { username, password: newPassword });
    return newPassword;
  },
};

describe('a secret for an app that a thief was shown', () => {
  it.each(Object.keys(ends))('is nobody’s any more, and not shown to the owner, once %s', async (end) => {
    const owner = await newUser();
    await giveEmail(talpa.sql, owner.id, `${owner.username}@example.com`);
    const thief = await actorOf((await signIn(owner.username)).session);
    const planted = await start(thief);
    const given = await ends[end]?.({ owner, thief });
    await expect(confirm(thief, planted.secret)).rejects.toMatchObject({ code: 'no_pending_authenticator' });
    const again = await actorOf((await signIn(owner.username, given)).session);
    expect((await as(again)('GET /api/user/second-factor', {})).isPending).toBe(false);
    const { secret } = await start(again);
    expect(secret).not.toBe(planted.secret);
    await confirm(again, secret);
  });

  it('is shown in their session alone, and its making is in the log and an email', async () => {
    const owner = await newUser();
    const thief = await actorOf((await signIn(owner.username)).session);
    const planted = await start(thief);
    expect(await start(thief)).toEqual(planted);
    expect((await start(owner.actor)).secret).not.toBe(planted.secret);
    await expect(confirm(owner.actor, planted.secret)).rejects.toMatchObject({ code: 'wrong_code' });
    await mailed(owner.id, 'factor_started');
    expect(await audited('user.startAuthenticator', owner.id)).toMatchObject([
      { actor: { sessionId: thief.sessionId } },
      { actor: { sessionId: owner.actor.sessionId } },
    ]);
  });
});

describe('an app that is lost, where everyone needs one', () => {
  const withApp = async () => {
    const person = await newUser();
    const made = await setUpApp(as(person.actor));
    return { ...person, ...made, actor: await actorOf(person.token) };
  };
  /** Signs in with a recovery code, long after the last step-up. */
  const enter = async ({ username, recoveryCodes }: Awaited<ReturnType<typeof withApp>>) => {
    const refusal = await talpa.call('POST /api/login', null, { username, password }).then(
      () => null,
      (error: { params?: { challenge?: string } }) => error.params?.challenge,
    );
    const input = { challenge: refusal ?? '', code: recoveryCodes[0] ?? '' };
    const { session } = await talpa.effects('POST /api/login/second-factor', null, input);
    return session;
  };

  it('is replaced after a sign-in with a recovery code: the old one counts until the new one does', async () => {
    const person = await withApp();
    const actor = await actorOf(await enter(person));
    const { secret } = await start(actor);
    expect(await as(actor)('GET /api/user/second-factor', {})).toMatchObject({
      ...{ authenticator: expect.anything(), isPending: true, recoveryCodesLeft: 9 },
    });
    // Nothing is lost yet.
    await as(person.actor)('POST /api/user/step-up', { code: person.app.next() });
    const { recoveryCodes } = await confirm(actor, secret);
    expect(await as(actor)('GET /api/user/second-factor', {})).toMatchObject({
      ...{ authenticator: expect.anything(), isPending: false, recoveryCodesLeft: 10 },
    });
    expect(actor).not.toHaveProperty('lacksFactor');
    for (const code of [person.app.next(), person.recoveryCodes[1] ?? ''])
      await expect(as(actor)('POST /api/user/step-up', { code })).rejects.toMatchObject({
        code: 'wrong_code',
      });
    for (const code of [appWith(secret).next(), recoveryCodes[0] ?? ''])
      await as(actor)('POST /api/user/step-up', { code });
    await mailed(person.id, 'factor_replaced');
    expect(await audited('user.replaceAuthenticator', person.id)).toHaveLength(1);
  });

  it('is replaced by nobody without a recent proof, nor by a session whose proof was made without it', async () => {
    const person = await withApp();
    const old = { ...person.actor, provedAt: Date.now() - 3_600_000 };
    await expect(start(old)).rejects.toMatchObject({ code: 'step_up_required' });
    const elsewhere = await enter(person);
    await start(await actorOf(elsewhere));
    await setUpApp(as(person.actor));
    await expect(start(await actorOf(elsewhere))).rejects.toMatchObject({ code: 'step_up_required' });
    expect((await actorOf(person.token)).provedAt).toBeGreaterThan(Date.now() - 60_000);
  });
});
