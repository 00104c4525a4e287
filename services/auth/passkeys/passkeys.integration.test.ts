import { passkeysPerUser, type RequestOf, type RouteName, type Routes } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { giveEmail } from '@talpa/test-kit/emails';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { addPasskey, type SoftAuthenticator, softAuthenticator } from '@talpa/test-kit/passkeys';
import { inboxOf } from '@talpa/test-kit/received-mails';
import { setUpApp } from '@talpa/test-kit/second-factors';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { afterAll, describe, expect, it } from 'vitest';
import { deleteEnded } from '../cleaner.ts';

const host = 'panel.example.org';
const publicUrl = `https://${host}`;
const server = await startMailServer();
afterAll(() => server.stop());
const talpa = useServices(useStores(), ['auth', 'notifications'], {
  ...{ SMTP_URL: server.url, MAIL_FROM: 'talpa@example.org' },
  PUBLIC_URL: publicUrl,
});
const { newUser, newAdmin, audited, invalidating } = usersOf(talpa, 'passkey');
type TestUser = Awaited<ReturnType<typeof newUser>>;
type Deviation = Parameters<SoftAuthenticator['use']>[1];

/** Calls as somebody does who is signed in. */
const as =
  (user: TestUser) =>
  <N extends RouteName>(route: N, input: RequestOf<Routes[N]>) =>
    talpa.call(route, user.actor, input);
const add = (user: TestUser, name?: string) => addPasskey(as(user), publicUrl, name);
const listOf = (user: TestUser) => as(user)('GET /api/user/passkeys', {});

/** Somebody who has a passkey. */
async function withPasskey() {
  const user = await newUser();
  return { user, ...(await add(user)) };
}
const challenge = () => talpa.call('POST /api/login/passkey/challenge', null, {});
const finish = (passkey: RequestOf<Routes['POST /api/login/passkey']>['passkey']) =>
  talpa.effects('POST /api/login/passkey', null, { passkey });
const signIn = async (authenticator: SoftAuthenticator, deviation?: Deviation) =>
  finish(authenticator.use(await challenge(), deviation));
const refusal = { code: 'passkey_refused' };
const ended = { code: 'passkey_challenge_ended' };
const expireChallenges = () =>
  talpa.sql`update auth.passkey_challenges set expires_at = expires_at - interval '5 minutes'`;

describe('a passkey', () => {
  it('is added with a name, signs in without a name and a password, and its last use is shown', async () => {
    const { user, passkey, authenticator } = await withPasskey();
    expect(passkey).toMatchObject({ name: 'Passkey', host, isUsable: true, lastUsedAt: null });
    const second = await add(user, '  Schlüssel am Bund ');
    const { session } = await signIn(authenticator);
    expect(await talpa.whoHas(session)).toMatchObject({ userId: user.id });
    expect(await listOf(user)).toEqual([{ ...passkey, lastUsedAt: expect.any(String) }, second.passkey]);
    expect(second.passkey.name).toBe('Schlüssel am Bund');
    expect(await audited('session.signIn', user.id)).toMatchObject([
      { changes: { passkey: { to: 'Passkey' } } },
    ]);
    const [added] = await audited('passkey.add', user.id);
    expect(added).toMatchObject({ target: { kind: 'passkey', label: 'Passkey' } });
  });

  it('signs in where an app is set up too, without a code: its user has verified themselves', async () => {
    const { user, authenticator } = await withPasskey();
    await setUpApp(as(user));
    expect(await talpa.whoHas((await signIn(authenticator)).session)).toMatchObject({ userId: user.id });
  });

  it('signs a suspended user in as a suspended one', async () => {
    const [{ user, authenticator }, admin] = [await withPasskey(), await newAdmin()];
    await as(admin)('POST /api/admin/users/:id/suspension', { id: user.id, reason: 'Spam' });
    const { session } = await signIn(authenticator);
    expect(await talpa.whoHas(session)).toMatchObject({ suspensionReason: 'Spam', isAdmin: false });
  });

  it('is renamed and removed by its owner alone; then it signs nobody in', async () => {
    const { user, passkey, authenticator } = await withPasskey();
    const [{ id }, other] = [passkey, await newUser()];
    for (const [route, input] of [
      ['PUT /api/user/passkeys/:id', { id, name: 'Neu' }],
      ['DELETE /api/user/passkeys/:id', { id }],
    ] as const)
      await expect(as(other)(route, input)).rejects.toMatchObject({ code: 'not_found' });
    await as(user)('PUT /api/user/passkeys/:id', { id, name: 'Telefon', expected: { name: 'Passkey' } });
    await expect(
      as(user)('PUT /api/user/passkeys/:id', { id, name: 'Laptop', expected: { name: 'Passkey' } }),
    ).rejects.toMatchObject({ code: 'edit_conflict' });
    expect(await audited('passkey.rename', user.id)).toMatchObject([
      { changes: { name: { from: 'Passkey', to: 'Telefon' } } },
    ]);
    await invalidating(user.id, () => as(user)('DELETE /api/user/passkeys/:id', { id }));
    expect(await listOf(user)).toEqual([]);
    await audited('passkey.remove', user.id);
    await expect(signIn(authenticator)).rejects.toMatchObject(refusal);
  });

  it(`is one of ${passkeysPerUser} at most, also of those added at once`, async () => {
    expect(passkeysPerUser).toBe(25);
    const user = await newUser();
    const { passkey } = await add(user);
    await talpa.sql`
      insert into auth.passkeys (user_id, credential_id, public_key, counter, transports, host, name, announced_by)
      select user_id, credential_id || number, public_key, 0, '{}', host, name, announced_by
      from auth.passkeys, generate_series(3, ${passkeysPerUser}) as number where id = ${passkey.id}`;
    const options = [1, 2].map(() => as(user)('POST /api/user/passkeys/challenge', {}));
    const made = (await Promise.all(options)).map((one) =>
      as(user)('POST /api/user/passkeys', { name: 'P', passkey: softAuthenticator(publicUrl).make(one) }),
    );
    const outcomes = await Promise.allSettled(made);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(as(user)('POST /api/user/passkeys/challenge', {})).rejects.toEqual(
      new AppError('passkey_limit', { params: { limit: passkeysPerUser } }),
    );
  });

  it('needs a step-up to be added and removed', async () => {
    const { user, passkey, authenticator } = await withPasskey();
    const late = { ...user, actor: { ...user.actor, provedAt: Date.now() - 11 * 60_000 } };
    const options = await as(user)('POST /api/user/passkeys/challenge', {});
    for (const [route, input] of [
      ['POST /api/user/passkeys/challenge', {}],
      ['POST /api/user/passkeys', { name: 'P', passkey: authenticator.make(options) }],
      ['DELETE /api/user/passkeys/:id', { id: passkey.id }],
    ] as const)
      await expect(as(late)(route, input)).rejects.toMatchObject({ code: 'step_up_required' });
  });
});

describe('adding a passkey', () => {
  it('takes an authenticator that has none of this user, verifies them, and finds the passkey by itself', async () => {
    const { user, passkey, authenticator } = await withPasskey();
    const former = await add(user);
    await talpa.sql`update auth.passkeys set host = 'alt.example.org' where id = ${former.passkey.id}`;
    const start = () => as(user)('POST /api/user/passkeys/challenge', {});
    const { challenge: first, user: named, ...options } = await start();
    const { id } = authenticator.use({ challenge: first });
    expect(options).toEqual({
      rp: { id: passkey.host, name: 'Talpa' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [{ id, type: 'public-key', transports: ['internal'] }],
      authenticatorSelection: {
        ...{ residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      },
      attestation: 'none',
    });
    expect(named).toMatchObject({ name: user.username, displayName: user.username });
    expect((await start()).user.id).toBe(named.id);
    const { allowCredentials } = await as(user)('POST /api/user/step-up/challenge', {});
    expect(allowCredentials.map((one) => one.id)).toEqual([id]);
  });

  it.each([
    ['from another origin', { origin: 'https://panel.example.com' }],
    ['for another host', { host: 'example.com' }],
    ['without verification of the user', { isVerified: false }],
  ])('is refused %s', async (_what, deviation) => {
    const user = await newUser();
    const options = await as(user)('POST /api/user/passkeys/challenge', {});
    const passkey = softAuthenticator(publicUrl).make(options, deviation);
    await expect(as(user)('POST /api/user/passkeys', { name: 'P', passkey })).rejects.toMatchObject(refusal);
    expect(await listOf(user)).toEqual([]);
  });

  it('takes a challenge of this session once, and no other challenge', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const options = await as(user)('POST /api/user/passkeys/challenge', {});
    const input = { name: 'P', passkey: softAuthenticator(publicUrl).make(options) };
    await expect(as(other)('POST /api/user/passkeys', input)).rejects.toMatchObject(ended);
    const elsewhere = { ...user, actor: { ...user.actor, sessionId: other.actor.sessionId } };
    await expect(as(elsewhere)('POST /api/user/passkeys', input)).rejects.toMatchObject(ended);
    await as(user)('POST /api/user/passkeys', input);
    await expect(as(user)('POST /api/user/passkeys', input)).rejects.toMatchObject(ended);
    const forStepUp = await as(user)('POST /api/user/step-up/challenge', {});
    for (const foreign of [await challenge(), forStepUp]) {
      const made = softAuthenticator(publicUrl).make({ ...options, challenge: foreign.challenge });
      const adding = as(user)('POST /api/user/passkeys', { name: 'P', passkey: made });
      await expect(adding).rejects.toMatchObject(ended);
    }
  });

  it('is refused as not signed in when its session has ended meanwhile, or its user is deleted', async () => {
    const user = await newUser();
    const signedOut = { code: 'not_signed_in' };
    await talpa.sql`delete from auth.sessions where user_id = ${user.id}`;
    for (const route of ['POST /api/user/passkeys/challenge', 'POST /api/user/step-up/challenge'] as const)
      await expect(as(user)(route, {})).rejects.toMatchObject(signedOut);
    await talpa.sql`delete from auth.users where id = ${user.id}`;
    await expect(as(user)('POST /api/user/passkeys/challenge', {})).rejects.toMatchObject(signedOut);
    await expect(as(user)('DELETE /api/user/passkeys/:id', { id: 1 })).rejects.toMatchObject(signedOut);
  });

  it('does not take one that another user has', async () => {
    const { authenticator } = await withPasskey();
    const other = await newUser();
    const options = await as(other)('POST /api/user/passkeys/challenge', {});
    await expect(
      as(other)('POST /api/user/passkeys', { name: 'P', passkey: authenticator.make(options) }),
    ).rejects.toMatchObject({ code: 'passkey_exists' });
  });
});

describe('signing in with a passkey', () => {
  it('takes a challenge once, also of those who use it at once, and none that has expired', async () => {
    const { authenticator } = await withPasskey();
    const options = await challenge();
    const all = await Promise.allSettled([1, 2, 3].map(() => finish(authenticator.use(options))));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(finish(authenticator.use(options))).rejects.toMatchObject(ended);
    const late = await challenge();
    await expireChallenges();
    await expect(finish(authenticator.use(late))).rejects.toMatchObject(ended);
    await expect(signIn(authenticator, { challenge: 'selbst-gemacht' })).rejects.toMatchObject(ended);
  });

  it('uses a challenge up that was signed wrongly', async () => {
    const { authenticator } = await withPasskey();
    const options = await challenge();
    await expect(finish(authenticator.use(options, { isVerified: false }))).rejects.toMatchObject(refusal);
    await expect(finish(authenticator.use(options))).rejects.toMatchObject(ended);
  });

  it.each([
    ['from another origin', { origin: 'https://panel.example.com' }],
    ['from another port', { origin: 'https://panel.example.org:8443' }],
    ['in a frame of another page', { crossOrigin: true }],
    ['with a crossOrigin that is no boolean', { crossOrigin: 'false' }],
    ['below another page', { topOrigin: 'https://evil.example' }],
    ['for another host', { host: 'example.org' }],
    ['without verification of the user', { isVerified: false }],
    ['for another user', { userHandle: Buffer.alloc(32).toString('base64url') }],
  ])('is refused %s', async (_what, deviation) => {
    const { authenticator } = await withPasskey();
    await expect(signIn(authenticator, deviation)).rejects.toMatchObject(refusal);
  });

  it('is refused with the id of another passkey', async () => {
    const [mine, other] = [await withPasskey(), await withPasskey()];
    const { id, rawId } = other.authenticator.use(await challenge());
    const passkey = { ...mine.authenticator.use(await challenge()), id, rawId };
    await expect(finish(passkey)).rejects.toMatchObject(refusal);
  });

  it('is refused with the signature of another key, whatever else is right', async () => {
    const { authenticator } = await withPasskey();
    const { id, rawId, response } = authenticator.use(await challenge());
    const deviation = { counter: 9, ...(response.userHandle ? { userHandle: response.userHandle } : {}) };
    const forged = softAuthenticator(publicUrl).use(await challenge(), deviation);
    await expect(finish({ ...forged, id, rawId })).rejects.toMatchObject(refusal);
    await signIn(authenticator);
  });

  it.each([
    ['no JSON', 'kein JSON'],
    ['no challenge in it', '{}'],
    ['a challenge that is no text', JSON.stringify({ challenge: { toString: 1 } })],
    ['a zero byte at the end of one', JSON.stringify({ challenge: 'a\u0000' })],
    ['a zero byte at its start', JSON.stringify({ challenge: '\u0000a' })],
  ])('is refused as ended with %s in what the browser signed', async (_what, clientData) => {
    const { authenticator } = await withPasskey();
    const { response, ...passkey } = authenticator.use(await challenge());
    const clientDataJSON = Buffer.from(clientData).toString('base64url');
    await expect(finish({ ...passkey, response: { ...response, clientDataJSON } })).rejects.toMatchObject(
      ended,
    );
  });

  it('is refused when the counter does not grow, as that of a copy', async () => {
    const { authenticator } = await withPasskey();
    await signIn(authenticator, { counter: 7 });
    for (const counter of [7, 3, 0])
      await expect(signIn(authenticator, { counter })).rejects.toMatchObject(refusal);
    const both = await Promise.allSettled([1, 2].map(() => signIn(authenticator, { counter: 8 })));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('takes authenticators that do not count', async () => {
    const user = await newUser();
    const authenticator = softAuthenticator(publicUrl);
    const options = await as(user)('POST /api/user/passkeys/challenge', {});
    const passkey = authenticator.make(options, { counter: 0 });
    await as(user)('POST /api/user/passkeys', { name: 'P', passkey });
    await signIn(authenticator, { counter: 0 });
    await signIn(authenticator, { counter: 0 });
  });

  it('names the former host of a panel whose address has changed', async () => {
    const { user, authenticator } = await withPasskey();
    await talpa.sql`update auth.passkeys set host = 'alt.example.org' where user_id = ${user.id}`;
    await expect(signIn(authenticator)).rejects.toEqual(
      new AppError('passkey_other_host', { params: { host: 'alt.example.org' } }),
    );
    expect(await listOf(user)).toMatchObject([{ host: 'alt.example.org', isUsable: false }]);
    expect(await as(user)('GET /api/user/second-factor', {})).toMatchObject({ passkeys: 0 });
  });
});

describe('a step-up with a passkey', () => {
  const stepUp = (user: TestUser, passkey: RequestOf<Routes['POST /api/login/passkey']>['passkey']) =>
    as(user)('POST /api/user/step-up', { passkey });
  const optionsOf = (user: TestUser) => as(user)('POST /api/user/step-up/challenge', {});
  const forget = ({ actor }: TestUser) =>
    talpa.sql`update auth.sessions set proved_at = now() - interval '1 hour' where id = ${actor.sessionId}`;

  it('counts for its session, also where an app is set up', async () => {
    const { user, authenticator } = await withPasskey();
    await setUpApp(as(user));
    await forget(user);
    const options = await optionsOf(user);
    expect(options.allowCredentials).toHaveLength(1);
    await stepUp(user, authenticator.use(options));
    expect((await talpa.whoHas(user.token))?.provedAt).toBeGreaterThan(Date.now() - 60_000);
  });

  it('takes an authenticator that names no user', async () => {
    const { user, authenticator } = await withPasskey();
    const { response, ...passkey } = authenticator.use(await optionsOf(user));
    const { userHandle: _left, ...rest } = response;
    await stepUp(user, { ...passkey, response: rest });
  });

  it('has ten challenges open at most, the newest ones, until they expire', async () => {
    const { user, authenticator } = await withPasskey();
    const options = [];
    for (let count = 0; count < 12; count += 1) options.push(await optionsOf(user));
    const [oldest, , third] = options;
    if (!oldest || !third) throw new Error('no challenges');
    await expect(stepUp(user, authenticator.use(oldest))).rejects.toMatchObject(ended);
    await stepUp(user, authenticator.use(third));
    const left = () =>
      talpa.sql`select 1 from auth.passkey_challenges where user_id = ${user.id}`.then(({ count }) => count);
    expect(await left()).toBe(9);
    await talpa.sql`
      update auth.passkey_challenges set expires_at = now() - interval '1 second' where user_id = ${user.id}`;
    await talpa.sql.begin(async (sql) => {
      await sql`set local search_path = auth`;
      await deleteEnded(sql);
    });
    expect(await left()).toBe(0);
  });

  it('takes neither another user’s passkey, nor a challenge of another session or for signing in', async () => {
    const [mine, other] = [await withPasskey(), await withPasskey()];
    await forget(mine.user);
    const { user } = mine;
    await expect(stepUp(user, other.authenticator.use(await optionsOf(user)))).rejects.toMatchObject(refusal);
    for (const options of [await optionsOf(other.user), await challenge()])
      await expect(stepUp(user, mine.authenticator.use(options))).rejects.toMatchObject(ended);
    await expect(finish(mine.authenticator.use(await optionsOf(user)))).rejects.toMatchObject(ended);
    expect((await talpa.whoHas(user.token))?.provedAt).toBeLessThan(Date.now() - 60_000);
  });
});

describe('somebody who has lost their passkeys', () => {
  it('is let in again by an administrator, and by the operator', async () => {
    const [{ user, authenticator }, admin] = [await withPasskey(), await newAdmin()];
    const { id } = user;
    expect(await as(admin)('GET /api/admin/users/:id/second-factor', { id })).toMatchObject({ passkeys: 1 });
    await as(admin)('DELETE /api/admin/users/:id/second-factor', { id });
    await expect(signIn(authenticator)).rejects.toMatchObject(refusal);
    expect(await audited('user.removeFactor', id)).toMatchObject([
      { changes: { passkeys: { from: 1, to: 0 } } },
    ]);
    await add(user);
    await talpa.ask('auth.resetAdmin', { username: user.username, password });
    expect(await listOf(user)).toEqual([]);
  });
});

it('an email announces a passkey, whose link removes it and none of before, and another one its removal', async () => {
  const user = await newUser();
  const address = `${user.username}@example.com`;
  await giveEmail(talpa.sql, user.id, address);
  await add(user, 'Laptop');
  await add(user, 'Telefon');
  const inbox = inboxOf(server, address);
  const token = await until('the email', () => {
    const mail = inbox.mails().find(({ text }) => text?.includes('„Telefon“'));
    return /#([\w-]{43})/.exec(mail?.text ?? '')?.[1];
  });
  await as(user)('DELETE /api/user/passkeys/:id', { id: (await add(user, 'Tablet')).passkey.id });
  await until('the email about its removal', () => inbox.subjects().includes('Passkey entfernt'));
  await talpa.call('POST /api/intrusion-report', null, { token });
  expect(await listOf(user)).toMatchObject([{ name: 'Laptop' }]);
  const [row] = await audited('user.reportIntrusion', user.id);
  expect(row?.changes).toEqual({ password: {}, passkey: {} });
});

it('the database loses passkeys and challenges with their user', async () => {
  const { user } = await withPasskey();
  await as(user)('POST /api/user/step-up/challenge', {});
  await as(user)('POST /api/user/deletion', { password });
  const rows = await talpa.sql`
    select 1 from auth.passkeys where user_id = ${user.id}
    union all select 1 from auth.passkey_challenges where user_id = ${user.id}`;
  expect(rows).toHaveLength(0);
});
