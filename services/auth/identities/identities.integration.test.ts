import { randomUUID } from 'node:crypto';
import {
  type Actor,
  identitiesPerUser,
  type RequestOf,
  type ResponseOf,
  type RouteName,
  type Routes,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { giveEmail } from '@talpa/test-kit/emails';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { signInAt, startOpenIdProvider } from '@talpa/test-kit/openid-provider';
import { startDiscord } from '@talpa/test-kit/own-providers';
import { addPasskey } from '@talpa/test-kit/passkeys';
import { inboxOf } from '@talpa/test-kit/received-mails';
import { setUpApp } from '@talpa/test-kit/second-factors';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { afterAll, describe, expect, it } from 'vitest';

const mails = await startMailServer();
const provider = await startOpenIdProvider();
const other = await startOpenIdProvider('other', 'Andere');
const discord = await startDiscord();
afterAll(() => Promise.all([mails.stop(), provider.stop(), other.stop(), discord.stop()]));
const talpa = useServices(useStores(), ['auth', 'notifications'], {
  ...{ SMTP_URL: mails.url, MAIL_FROM: 'talpa@example.org', PUBLIC_URL: 'https://panel.example.org' },
  SIGN_IN_PROVIDERS: JSON.stringify([
    provider.settings,
    { ...other.settings, createAccounts: true, trustedForSecondFactor: true },
    { ...discord.settings, createAccounts: true },
  ]),
});
const { newUser, newAdmin, audited, mailed } = usersOf(talpa, 'identity');
type TestUser = Pick<Awaited<ReturnType<typeof newUser>>, 'id' | 'actor'>;
type Id = 'openid' | 'other' | 'discord';

/** A browser: what it begins no other one finishes. */
const browser = (device: string = randomUUID()) => ({ address: '192.0.2.1', userAgent: 'test', device });
type Browser = ReturnType<typeof browser>;
const mine = browser();
const call = <N extends RouteName>(
  route: N,
  actor: Actor | null,
  input: RequestOf<Routes[N]>,
  client: Browser = mine,
): Promise<ResponseOf<Routes[N]>> => talpa.call(route, actor, input, undefined, client);
const as =
  ({ actor }: Pick<TestUser, 'actor'>) =>
  <N extends RouteName>(route: N, input: RequestOf<Routes[N]>) =>
    call(route, actor, input);

/** What a browser comes back with that was sent to a provider to sign in. */
async function answerOf(account: string, id: Id = 'openid', client = mine) {
  const { url } = await call('POST /api/login/provider/request', null, { provider: id }, client);
  return signInAt(url, account);
}
const signIn = async (account: string, id: Id = 'openid') =>
  talpa.effects('POST /api/login/provider', null, await answerOf(account, id), mine);
async function discordAnswer(account: Parameters<typeof discord.signIn>[1]) {
  const { url } = await call('POST /api/login/provider/request', null, { provider: 'discord' });
  return discord.signIn(url, account);
}
async function link(user: TestUser, account: string = randomUUID(), id: Id = 'openid') {
  const { url } = await as(user)('POST /api/user/identities/request', { provider: id });
  return as(user)('POST /api/user/identities', await signInAt(url, account));
}
const listOf = (user: TestUser) => as(user)('GET /api/user/identities', {});

/** Somebody who has linked an account at the provider. */
async function linked(id: Id = 'openid') {
  const [user, account] = [await newUser(), randomUUID()];
  return { user, account, identity: await link(user, account, id) };
}
/** The error with which a sign-in is refused. */
const refusalOf = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error as AppError,
  );
/** Somebody whose account was created through a provider: they have no password. */
async function createdAt(id: Id = 'other', account: string = randomUUID()) {
  const { params } = await refusalOf(signIn(account, id));
  const input = { challenge: String(params?.challenge), username: `n${randomUUID().slice(0, 12)}` };
  const { session } = await talpa.effects('POST /api/register/provider', null, input, mine);
  const actor = await talpa.whoHas(session);
  if (!actor) throw new Error('no session came with the account');
  return { account, id: actor.userId, actor };
}
const ended = { code: 'sign_in_request_ended' };
const late = ({ id, actor }: TestUser) => ({ id, actor: { ...actor, provedAt: Date.now() - 11 * 60_000 } });

describe('an identity', () => {
  it('is linked under the provider, signs in, and its last use is shown', async () => {
    const { user, account, identity } = await linked();
    const { id, label } = provider.settings;
    expect(identity).toMatchObject({
      provider: { id, kind: 'openid', label },
      name: account,
      lastUsedAt: null,
    });
    expect(await audited('identity.link', user.id)).toMatchObject([
      { target: { kind: 'identity', id: String(identity.id), label } },
    ]);
    const { session } = await signIn(account);
    expect(await talpa.whoHas(session)).toMatchObject({ userId: user.id, isAdmin: false });
    expect(await audited('session.signIn', user.id)).toMatchObject([
      { changes: { provider: { to: label } } },
    ]);
    expect(await listOf(user)).toEqual([{ ...identity, lastUsedAt: expect.any(String) }]);
    const admin = await newAdmin();
    expect(await as(admin)('GET /api/admin/users/:id/identities', { id: user.id })).toEqual(
      await listOf(user),
    );
  });

  it('is never found by an equal email address, at whichever provider', async () => {
    const user = await newUser();
    const address = `${user.username}@example.org`;
    await giveEmail(talpa.sql, user.id, address);
    const accounts = [randomUUID(), randomUUID()] as const;
    for (const [at, account] of [
      [provider, accounts[0]],
      [other, accounts[1]],
    ] as const)
      at.claims(account, { email: address, email_verified: true });
    expect(await refusalOf(signIn(accounts[0]))).toMatchObject({ code: 'identity_not_linked' });
    expect(await refusalOf(signIn(accounts[1], 'other'))).toMatchObject({ code: 'account_missing' });
    const answer = await discordAnswer({ id: randomUUID(), username: 'x', email: address, verified: true });
    await expect(call('POST /api/login/provider', null, answer)).rejects.toMatchObject({
      code: 'account_missing',
    });
  });

  it('belongs to its provider: the same name at another one is somebody else', async () => {
    const { account } = await linked();
    expect(await refusalOf(signIn(account, 'other'))).toMatchObject({ code: 'account_missing' });
  });

  it('is refused with the same words whether or not an account has its name', async () => {
    const user = await newUser();
    const [one, two] = await Promise.all(
      [user.username, randomUUID()].map((name) => refusalOf(signIn(name))),
    );
    expect(one).toEqual(two);
  });

  it('is linked by one user alone, and once: also in two tabs', async () => {
    const { user, account } = await linked();
    await expect(link(user, account)).rejects.toMatchObject({ code: 'identity_linked' });
    await expect(link(await newUser(), account)).rejects.toMatchObject({
      code: 'identity_linked_elsewhere',
    });
    const fresh = randomUUID();
    const outcomes = await Promise.allSettled([link(user, fresh), link(user, fresh)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await listOf(user)).map(({ name }) => name)).toEqual([account, fresh]);
  });

  it(`is one of ${identitiesPerUser} at most`, async () => {
    const { user, identity } = await linked();
    await talpa.sql`
      insert into auth.identities (user_id, issuer, subject, name)
      select user_id, issuer, subject || number, name
      from auth.identities, generate_series(2, ${identitiesPerUser}) as number where id = ${identity.id}`;
    await expect(link(user)).rejects.toEqual(
      new AppError('identity_limit', { params: { limit: identitiesPerUser } }),
    );
  });

  it('needs a step-up to be linked and unlinked, and is out of reach for others', async () => {
    const { user, identity } = await linked();
    const { url } = await as(user)('POST /api/user/identities/request', { provider: 'openid' });
    const answer = await signInAt(url, randomUUID());
    for (const [route, input] of [
      ['POST /api/user/identities/request', { provider: 'openid' }],
      ['POST /api/user/identities', answer],
      ['DELETE /api/user/identities/:id', { id: identity.id }],
    ] as const)
      await expect(as(late(user))(route, input)).rejects.toMatchObject({ code: 'step_up_required' });
    const stranger = await newUser();
    await expect(as(stranger)('DELETE /api/user/identities/:id', { id: identity.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await listOf(user)).toEqual([identity]);
  });

  it('is unlinked; then it signs nobody in, nor does a sign-in that awaited a code', async () => {
    const { user, account, identity } = await linked();
    const { app } = await setUpApp(as(user));
    const { params } = await refusalOf(signIn(account));
    await as(user)('DELETE /api/user/identities/:id', { id: identity.id });
    await audited('identity.unlink', user.id);
    await mailed(user.id, 'identity_unlinked');
    expect(await refusalOf(signIn(account))).toMatchObject({ code: 'identity_not_linked' });
    await expect(
      call('POST /api/login/second-factor', null, { challenge: String(params?.challenge), code: app.next() }),
    ).rejects.toMatchObject({ code: 'challenge_ended' });
  });

  it('is announced by an email, whose link unlinks it again and ends all sessions', async () => {
    const user = await newUser();
    const address = `${user.username}@example.org`;
    await link(user, 'bleibt');
    await giveEmail(talpa.sql, user.id, address);
    await link(user, randomUUID(), 'other');
    const { mail, token } = await inboxOf(mails, address).link('/not-me');
    expect(mail.subject).toContain('Andere');
    await call('POST /api/intrusion-report', null, { token });
    expect(await talpa.whoHas(user.token)).toBeNull();
    const rows = await talpa.sql`select subject from auth.identities where user_id = ${user.id}`;
    expect(rows.map(({ subject }) => subject)).toEqual(['bleibt']);
  });
});

describe('signing in through a provider', () => {
  it('still asks for the code of an app, and the activity log names the provider', async () => {
    const { user, account } = await linked();
    const { app } = await setUpApp(as(user));
    const { code, params } = await refusalOf(signIn(account));
    expect(code).toBe('second_factor_required');
    const input = { challenge: String(params?.challenge), code: app.next() };
    const { session } = await talpa.effects('POST /api/login/second-factor', null, input, mine);
    expect(await talpa.whoHas(session)).toMatchObject({ userId: user.id });
    const changes = { provider: { to: provider.settings.label } };
    expect(await audited('session.signIn', user.id)).toMatchObject([{ changes }]);
  });

  it('asks for no code where the provider is trusted for the second factor', async () => {
    const { user, account } = await linked('other');
    await setUpApp(as(user));
    expect(await talpa.whoHas((await signIn(account, 'other')).session)).toMatchObject({ userId: user.id });
  });

  it('signs a suspended user in as a suspended one, and a deleted one not at all', async () => {
    const [{ user, account }, admin] = [await linked(), await newAdmin()];
    await as(admin)('POST /api/admin/users/:id/suspension', { id: user.id, reason: 'Spam' });
    const { session } = await signIn(account);
    expect(await talpa.whoHas(session)).toMatchObject({ suspensionReason: 'Spam', isAdmin: false });
    await as(admin)('DELETE /api/admin/users/:id', { id: user.id });
    expect(await refusalOf(signIn(account))).toMatchObject({ code: 'identity_not_linked' });
  });

  it('takes a response once, in the browser that began, for ten minutes, and for what it was asked', async () => {
    const { user, account } = await linked();
    const answer = await answerOf(account);
    const finish = (client?: Browser) => call('POST /api/login/provider', null, answer, client);
    await expect(finish(browser())).rejects.toMatchObject(ended);
    await expect(as(user)('POST /api/user/identities', answer)).rejects.toMatchObject(ended);
    const outcomes = await Promise.allSettled([finish(), finish()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(finish()).rejects.toMatchObject(ended);
    const old = await answerOf(account);
    await talpa.sql`update auth.provider_requests set expires_at = expires_at - interval '10 minutes' where state = ${old.state}`;
    await expect(call('POST /api/login/provider', null, old)).rejects.toMatchObject(ended);
  });

  it('takes a code once: with the state of another request it is refused by the provider', async () => {
    const { account } = await linked();
    const [first, second] = [await answerOf(account), await answerOf(account)];
    await call('POST /api/login/provider', null, first);
    await expect(
      call('POST /api/login/provider', null, { ...second, code: first.code }),
    ).rejects.toMatchObject({ code: 'sign_in_response_invalid' });
  });

  it('links nothing to another session than the one that began', async () => {
    const [user, thief] = [await newUser(), await newUser()];
    const { url } = await as(user)('POST /api/user/identities/request', { provider: 'openid' });
    const answer = await signInAt(url, randomUUID());
    const elsewhere = { actor: { ...user.actor, sessionId: thief.actor.sessionId } };
    for (const other of [thief, elsewhere])
      await expect(as(other)('POST /api/user/identities', answer)).rejects.toMatchObject(ended);
    expect([await listOf(thief), await listOf(user)]).toEqual([[], []]);
  });

  it('says so when it was canceled at the provider, and when there is no such provider', async () => {
    await expect(signIn('')).rejects.toMatchObject({
      ...{ code: 'sign_in_refused', params: { provider: provider.settings.label } },
    });
    await expect(
      call('POST /api/login/provider/request', null, { provider: 'nirgends' }),
    ).rejects.toMatchObject({
      code: 'sign_in_provider_unknown',
    });
  });

  it('sends browsers back to PUBLIC_URL, with PKCE, a state and a nonce', async () => {
    const { url } = await call('POST /api/login/provider/request', null, { provider: 'openid' });
    const { origin, searchParams } = new URL(url);
    expect(origin).toBe(provider.issuer);
    const { redirect_uri, code_challenge_method, code_challenge, state, nonce, scope } =
      Object.fromEntries(searchParams);
    expect({ redirect_uri, code_challenge_method, scope }).toEqual({
      redirect_uri: 'https://panel.example.org/sign-in/openid',
      code_challenge_method: 'S256',
      scope: 'openid profile',
    });
    for (const random of [code_challenge, state, nonce]) expect(random?.length).toBeGreaterThanOrEqual(43);
  });
});

describe('an account created through a provider', () => {
  it('gets the name that its owner chooses, and signs in again', async () => {
    const account = `Neue ${randomUUID().slice(0, 8)}`;
    other.claims(account, { email: 'neu@example.org', email_verified: true });
    const { code, params } = await refusalOf(signIn(account, 'other'));
    const username = account.replace(' ', '-');
    expect({ code, ...params }).toMatchObject({
      code: 'account_missing',
      username,
      email: 'neu@example.org',
    });
    const challenge = String(params?.challenge);
    const create = (name: string, client = mine) =>
      call('POST /api/register/provider', null, { challenge, username: name }, client);
    const { username: taken } = await newUser();
    await expect(create(taken)).rejects.toMatchObject({ code: 'username_taken' });
    await expect(create('nobody-else')).rejects.toMatchObject({ code: 'username_reserved' });
    await expect(create(username, browser())).rejects.toMatchObject(ended);
    const { id } = await create(username);
    await expect(create(`${username}2`)).rejects.toMatchObject(ended);
    expect(await talpa.whoHas((await signIn(account, 'other')).session)).toMatchObject({ userId: id });
    expect(await audited('user.register', id)).toMatchObject([{ changes: { provider: { to: 'Andere' } } }]);
  });

  it('takes no unverified address of a provider', async () => {
    const account = { id: randomUUID(), username: 'wumpus', email: 'fremd@example.org' };
    for (const [verified, email] of [
      [false, ''],
      [true, account.email],
    ] as const) {
      const answer = await discordAnswer({ ...account, verified });
      await expect(call('POST /api/login/provider', null, answer)).rejects.toMatchObject({
        code: 'account_missing',
        params: { username: 'wumpus', email },
      });
      const name = randomUUID().slice(0, 12);
      other.claims(name, { email: account.email, email_verified: verified });
      expect(await refusalOf(signIn(name, 'other'))).toMatchObject({ params: { username: name, email } });
    }
  });

  it('is not left without a way to sign in: neither an identity nor a passkey is removed as the last one', async () => {
    const user = await createdAt();
    const [identity] = await listOf(user);
    const unlink = () => as(user)('DELETE /api/user/identities/:id', { id: identity?.id ?? 0 });
    await expect(unlink()).rejects.toMatchObject({ code: 'last_way_to_sign_in' });
    const second = await link(user);
    await as(user)('DELETE /api/user/identities/:id', { id: second.id });
    await expect(unlink()).rejects.toMatchObject({ code: 'last_way_to_sign_in' });
    expect(await as(user)('GET /api/user/second-factor', {})).toMatchObject({ hasPassword: false });
    await as(user)('POST /api/user/password', { newPassword: password });
    expect(await as(user)('GET /api/user/second-factor', {})).toMatchObject({ hasPassword: true });
    await unlink();
    expect(await listOf(user)).toEqual([]);

    const other = await createdAt();
    const { passkey } = await addPasskey(as(other), 'https://panel.example.org');
    const [theirs] = await listOf(other);
    await as(other)('DELETE /api/user/identities/:id', { id: theirs?.id ?? 0 });
    await expect(as(other)('DELETE /api/user/passkeys/:id', { id: passkey.id })).rejects.toMatchObject({
      code: 'last_way_to_sign_in',
    });
  });

  it('has no password until its owner sets one after a step-up, and proves nothing with it', async () => {
    const user = await createdAt();
    await expect(as(user)('POST /api/user/step-up', { password })).rejects.toMatchObject({
      code: 'password_missing',
    });
    await expect(as(user)('POST /api/user/deletion', { password })).rejects.toMatchObject({
      code: 'password_missing',
    });
    await expect(as(late(user))('POST /api/user/password', { newPassword: password })).rejects.toMatchObject({
      code: 'step_up_required',
    });
    await as(user)('POST /api/user/password', { newPassword: password });
    // From then on the old one is asked for.
    await expect(as(user)('POST /api/user/password', { newPassword: password })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await as(user)('POST /api/user/step-up', { password });
  });
});
