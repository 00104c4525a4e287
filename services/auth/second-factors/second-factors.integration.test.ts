import { hash } from '@node-rs/argon2';
import type { ClientInfo, CommandOf, RequestOf, RouteName, Routes } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { giveEmail } from '@talpa/test-kit/emails';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { inboxOf } from '@talpa/test-kit/received-mails';
import { appWith, setUpApp } from '@talpa/test-kit/second-factors';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { Secret } from 'otpauth';
import { afterAll, describe, expect, it } from 'vitest';

const server = await startMailServer();
afterAll(() => server.stop());
const talpa = useServices(useStores(), ['auth', 'notifications'], {
  ...{ SMTP_URL: server.url, MAIL_FROM: 'talpa@example.org' },
  PUBLIC_URL: 'https://panel.example.org',
});
const { newUser, newAdmin, audited, mailed, invalidating } = usersOf(talpa, 'faktor');
type TestUser = Awaited<ReturnType<typeof newUser>>;
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : String(error));

/** Calls as somebody does who is signed in. */
const as =
  (user: TestUser) =>
  <N extends RouteName>(route: N, input: RequestOf<Routes[N]>) =>
    talpa.call(route, user.actor, input);
const setUp = async (user: TestUser) => setUpApp(as(user));
const factorOf = (user: TestUser) => as(user)('GET /api/user/second-factor', {});

/** Somebody who has an app and recovery codes. */
async function withApp() {
  const user = await newUser();
  return { user, ...(await setUp(user)) };
}

/** Gives the right password; the response goes on with a code. */
async function challengeOf(user: TestUser, given = password): Promise<string> {
  const input = { username: user.username, password: given };
  const error = await talpa.call('POST /api/login', null, input).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError && error.code === 'second_factor_required'))
    throw new Error(`no second factor was asked for: ${codeOf(error)}`);
  return String(error.params?.challenge);
}
const finish = (challenge: string, code: string, client?: ClientInfo) =>
  talpa.effects('POST /api/login/second-factor', null, { challenge, code }, client);
/** Whether each of some attempts made at once was let in, or why not. */
const outcomes = async (attempts: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).map((one) =>
    one.status === 'fulfilled' ? 'done' : codeOf(one.reason),
  );
const stranger = (at: number): ClientInfo => ({ address: `198.51.100.${at}`, userAgent: 'guesser' });

const wrongCode = { code: 'wrong_code', issues: [{ path: ['code'], key: 'codeWrong' }] };

describe('an authenticator app', () => {
  it('counts once a code has confirmed it; the step can be left, and taken up in another tab', async () => {
    const user = await newUser();
    const first = await as(user)('POST /api/user/authenticator', {});
    expect(await as(user)('POST /api/user/authenticator', {})).toEqual(first);
    expect(await factorOf(user)).toEqual({
      authenticator: null,
      hasPassword: true,
      isPending: true,
      isProven: false,
      recoveryCodesLeft: 0,
      passkeys: 0,
    });
    expect(new URL(first.uri).searchParams.get('issuer')).toBe('Talpa (panel.example.org)');
    await talpa.call('POST /api/login', null, { username: user.username, password });
    const app = appWith(first.secret);
    const confirm = (code: string) => as(user)('POST /api/user/authenticator/confirmation', { code });
    await expect(confirm(app.code(3))).rejects.toMatchObject(wrongCode);
    const { recoveryCodes } = await invalidating(user.id, () => confirm(app.now()));
    expect(new Set(recoveryCodes)).toHaveLength(10);
    expect(await factorOf(user)).toMatchObject({ isPending: false, recoveryCodesLeft: 10 });
    await expect(confirm(app.next())).rejects.toMatchObject({ code: 'no_pending_authenticator' });
    expect(await audited('user.addAuthenticator', user.id)).toMatchObject([
      { target: { label: user.username } },
    ]);
  });

  it('that was never confirmed is forgotten after a day, with another secret the next time', async () => {
    const user = await newUser();
    const { secret } = await as(user)('POST /api/user/authenticator', {});
    await talpa.sql`
      update auth.pending_authenticators set created_at = now() - interval '25 hours' where user_id = ${user.id}`;
    await expect(
      as(user)('POST /api/user/authenticator/confirmation', { code: appWith(secret).now() }),
    ).rejects.toMatchObject({ code: 'no_pending_authenticator' });
    expect((await as(user)('POST /api/user/authenticator', {})).secret).not.toBe(secret);
  });

  it('is removed with a code; then the password alone signs in, and no recovery code is left', async () => {
    const { user, app } = await withApp();
    await invalidating(user.id, () => as(user)('POST /api/user/authenticator/removal', { code: app.next() }));
    await talpa.call('POST /api/login', null, { username: user.username, password });
    expect(await factorOf(user)).toEqual({
      authenticator: null,
      hasPassword: true,
      isPending: false,
      isProven: true,
      recoveryCodesLeft: 0,
      passkeys: 0,
    });
    await audited('user.removeAuthenticator', user.id);
    await mailed(user.id, 'factor_removed');
  });

  it('has a secret that the database holds encrypted alone, for one user', async () => {
    const user = await newUser();
    const { secret } = await as(user)('POST /api/user/authenticator', {});
    const [row] = await talpa.sql<{ secret: Buffer }[]>`
      select secret from auth.pending_authenticators where user_id = ${user.id}`;
    const other = await newUser();
    await as(other)('POST /api/user/authenticator', {});
    await talpa.sql`update auth.pending_authenticators set secret = ${row?.secret ?? null} where user_id = ${other.id}`;
    await expect(as(other)('POST /api/user/authenticator', {})).rejects.toMatchObject({
      code: 'internal',
    });
    expect(row?.secret.includes(Buffer.from(Secret.fromBase32(secret).bytes))).toBe(false);
  });
});

describe('signing in with a second factor', () => {
  it('takes the password, then a code; the first step gives no session', async () => {
    const { user, app } = await withApp();
    const challenge = await challengeOf(user);
    expect(await talpa.whoHas(challenge)).toBeNull();
    const { session } = await finish(challenge, app.next());
    expect(await talpa.whoHas(session)).toMatchObject({ userId: user.id });
    const [signIn] = await audited('session.signIn', user.id);
    expect(signIn).toMatchObject({ actor: { userId: user.id }, changes: {} });
  });

  it('never reveals whether there is one to a caller who does not know the password', async () => {
    const { user } = await withApp();
    const plain = await newUser();
    for (const { username } of [user, plain, { username: 'gibt-es-nicht' }])
      await expect(talpa.call('POST /api/login', null, { username, password: 'falsch-123' })).rejects.toEqual(
        new AppError('invalid_credentials'),
      );
  });

  it('takes no code a second time, and none of an earlier step after a later one', async () => {
    const { user, app } = await withApp();
    await finish(await challengeOf(user), app.next());
    const again = await challengeOf(user);
    for (const steps of [1, 0, -1])
      await expect(finish(again, app.code(steps))).rejects.toMatchObject(wrongCode);
    expect((await factorOf(user)).authenticator).toEqual({
      ...{ addedAt: expect.any(String), lastUsedAt: expect.any(String) },
    });
  });

  it('lets one of those in who use the same code at once, each in a sign-in of their own', async () => {
    const { user, app } = await withApp();
    const challenges = await Promise.all(Array.from({ length: 5 }, () => challengeOf(user)));
    const ended = await outcomes(challenges.map((challenge) => finish(challenge, app.next())));
    expect(ended.toSorted()).toEqual(['done', ...Array.from({ length: 4 }, () => 'wrong_code')]);
  });

  it('opens one session for a challenge, however many right codes are used with it at once', async () => {
    const { user, app, recoveryCodes } = await withApp();
    const challenge = await challengeOf(user);
    const codes = [app.next(), ...recoveryCodes.slice(0, 3)];
    const ended = await outcomes(codes.map((code) => finish(challenge, code)));
    expect(ended.toSorted()).toEqual(['challenge_ended', 'challenge_ended', 'challenge_ended', 'done']);
    expect((await factorOf(user)).recoveryCodesLeft).toBeGreaterThan(8);
  });

  it('takes no other user’s code for a challenge, and no challenge that auth did not sign', async () => {
    const [mine, other] = [await withApp(), await withApp()];
    const challenge = await challengeOf(mine.user);
    for (const code of [other.app.next(), other.recoveryCodes[0] ?? ''])
      await expect(finish(challenge, code)).rejects.toMatchObject({ code: 'wrong_code' });
    for (const forged of [mine.user.token ?? '', `${challenge}x`, 'x'])
      await expect(finish(forged, mine.app.next())).rejects.toMatchObject({ code: 'challenge_ended' });
    await finish(challenge, mine.app.next());
  });

  it('ends with the challenge: after five minutes, a change of the password, or the removal of the app', async () => {
    const { user, app, recoveryCodes } = await withApp();
    const late = await challengeOf(user);
    await talpa.sql`
      update auth.sign_in_challenges set expires_at = expires_at - interval '5 minutes' where user_id = ${user.id}`;
    await expect(finish(late, app.next())).rejects.toMatchObject({ code: 'challenge_ended' });

    const before = await challengeOf(user);
    const newPassword = 'ganz-neu-123';
    await as(user)('POST /api/user/password', { currentPassword: password, newPassword });
    await expect(finish(before, app.next())).rejects.toMatchObject({ code: 'challenge_ended' });

    const open = await challengeOf(user, newPassword);
    await as(user)('POST /api/user/authenticator/removal', { code: recoveryCodes[0] ?? '' });
    await expect(finish(open, app.next())).rejects.toMatchObject({ code: 'challenge_ended' });
  });

  it('goes on when the password’s hash is renewed in its first step', async () => {
    const { user, app } = await withApp();
    const cheap = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await talpa.sql`update auth.users set password_hash = ${cheap} where id = ${user.id}`;
    const { session } = await finish(await challengeOf(user), app.next());
    expect(await talpa.whoHas(session)).toMatchObject({ userId: user.id });
  });

  it('still takes a code after the password was reset', async () => {
    const { user, app } = await withApp();
    const { path } = await talpa.ask('auth.createResetLinkByName', { username: user.username });
    const newPassword = 'ganz-neu-123';
    await talpa.call('POST /api/password-reset', null, { token: path.split('#')[1] ?? '', newPassword });
    await finish(await challengeOf(user, newPassword), app.next());
  });
});

describe('guessing codes', () => {
  const wrong = '000000';

  it('is counted once for whatever the codes are for: as many as may be wrong, made at once or not', async () => {
    const { user, recoveryCodes } = await withApp();
    const challenges = await Promise.all(Array.from({ length: 8 }, () => challengeOf(user)));
    const from = { ...stranger(1), userAgent: 'test', address: '192.0.2.1' };
    const ended = await outcomes([
      ...challenges.map((challenge) => finish(challenge, wrong, from)),
      ...Array.from({ length: 4 }, () => as(user)('POST /api/user/authenticator/removal', { code: wrong })),
      ...Array.from({ length: 2 }, () => as(user)('POST /api/user/recovery-codes', { code: wrong })),
      ...Array.from({ length: 2 }, () => as(user)('POST /api/user/step-up', { code: wrong })),
    ]);
    expect(ended.filter((one) => one === 'wrong_code')).toHaveLength(10);
    expect(ended.filter((one) => one === 'too_many_requests')).toHaveLength(6);
    // Not even a right one counts now.
    await expect(
      as(user)('POST /api/user/authenticator/removal', { code: recoveryCodes[0] ?? '' }),
    ).rejects.toMatchObject({ code: 'too_many_requests' });
  });

  it('from elsewhere, by somebody who knows the password, does not lock out the owner in their own browser', async () => {
    const { user, app, recoveryCodes } = await withApp();
    await giveEmail(talpa.sql, user.id, `${user.username}@example.com`);
    const challenge = await challengeOf(user);
    for (let at = 0; at < 10; at += 1)
      await expect(finish(challenge, wrong, stranger(at))).rejects.toMatchObject({ code: 'wrong_code' });
    const refused = await finish(challenge, app.next(), stranger(99)).catch((error: AppError) => error);
    expect(refused).toMatchObject({ code: 'too_many_requests', params: { seconds: expect.any(Number) } });
    const { session } = await finish(challenge, app.next());
    expect(await talpa.whoHas(session)).toMatchObject({ userId: user.id });
    const inbox = inboxOf(server, `${user.username}@example.com`);
    await until('an email that somebody knows the password', () =>
      inbox.subjects().includes('Jemand kennt vermutlich Ihr Passwort'),
    );
    await talpa.sql`update auth.wrong_codes set window_ends_at = now() where user_id = ${user.id}`;
    // Those of an earlier window count no more.
    await expect(finish(await challengeOf(user), wrong, stranger(98))).rejects.toMatchObject({
      code: 'wrong_code',
    });
    await finish(await challengeOf(user), recoveryCodes[0] ?? '', stranger(99));
    await audited('session.signIn', user.id);
    const orders = talpa
      .received<CommandOf<'notifications.sendMail'>>(commandSubject('notifications.sendMail'))
      .filter(({ userId }) => userId === user.id)
      .map(({ mail }) => mail.kind);
    // One email for all wrong codes, and none about the code of the app.
    for (const kind of ['wrong_codes', 'recovery_code_used'])
      expect(orders.filter((one) => one === kind)).toHaveLength(1);
  });

  it('does not lock out the owner in a browser with a known cookie, wherever it is', async () => {
    const { user, app, recoveryCodes } = await withApp();
    const home = { address: '192.0.2.50', userAgent: 'Firefox', device: 'the-browser-at-home' };
    await finish(await challengeOf(user), recoveryCodes[0] ?? '', home);
    const challenge = await challengeOf(user);
    for (let at = 0; at < 10; at += 1)
      await expect(finish(challenge, wrong, stranger(at))).rejects.toMatchObject({ code: 'wrong_code' });
    const travelling = { ...home, address: '198.51.100.9', userAgent: 'Firefox, updated' };
    const { session } = await finish(challenge, app.next(), travelling);
    expect(await talpa.whoHas(session)).toMatchObject({ userId: user.id });
  });
});

describe('a recovery code', () => {
  it('signs in once, however it is typed, also when it is used twice at once, and its owner is notified', async () => {
    const { user, recoveryCodes } = await withApp();
    const address = `${user.username}@example.com`;
    await giveEmail(talpa.sql, user.id, address);
    const typed = ` ${(recoveryCodes[4] ?? '').toLowerCase().replaceAll('-', ' ')} `;
    const challenges = await Promise.all([challengeOf(user), challengeOf(user), challengeOf(user)]);
    const ended = await outcomes(challenges.map((challenge) => finish(challenge, typed)));
    expect(ended.toSorted()).toEqual(['done', 'wrong_code', 'wrong_code']);
    expect(await factorOf(user)).toMatchObject({ recoveryCodesLeft: 9 });
    await until('an email about it', () =>
      inboxOf(server, address).subjects().includes('Wiederherstellungscode verwendet'),
    );
    expect(await audited('session.signIn', user.id)).toMatchObject([{ changes: { recoveryCode: {} } }]);
  });

  it('does not count any more once there are new ones', async () => {
    const { user, app, recoveryCodes } = await withApp();
    const made = await as(user)('POST /api/user/recovery-codes', { code: app.next() });
    expect(await factorOf(user)).toMatchObject({ recoveryCodesLeft: 10 });
    const challenge = await challengeOf(user);
    await expect(finish(challenge, recoveryCodes[0] ?? '')).rejects.toMatchObject({ code: 'wrong_code' });
    await finish(challenge, made.recoveryCodes[0] ?? '');
    await audited('user.replaceRecoveryCodes', user.id);
    await mailed(user.id, 'recovery_codes_replaced');
  });

  it('is stored nowhere', async () => {
    const { user, recoveryCodes } = await withApp();
    const rows = await talpa.sql`
      select user_id, encode(hash, 'escape') as hash from auth.recovery_codes where user_id = ${user.id}`;
    expect(rows).toHaveLength(10);
    for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''));
  });
});

describe('an email about an added app that is not its reader’s', () => {
  it('removes it with its link, or that of an earlier email to the same address; that of a later one removes none', async () => {
    const user = await newUser();
    const address = `${user.username}@example.com`;
    await giveEmail(talpa.sql, user.id, address);
    await setUp(user);
    await as(user)('POST /api/user/password', { currentPassword: password, newPassword: password });
    const inbox = inboxOf(server, address);
    const report = async (subject: string) => {
      const token = await until(subject, () => {
        const mail = inbox.mails().find((one) => one.subject === subject);
        return /#([\w-]{43})/.exec(mail?.text ?? '')?.[1];
      });
      await talpa.call('POST /api/intrusion-report', null, { token });
    };
    await report('Ihr Passwort wurde geändert');
    expect((await factorOf(user)).authenticator).not.toBeNull();
    await report('Einrichtung einer Authenticator-App begonnen');
    expect(await factorOf(user)).toEqual({
      authenticator: null,
      hasPassword: false,
      isPending: false,
      isProven: false,
      recoveryCodesLeft: 0,
      passkeys: 0,
    });
  });
});

describe('an administrator', () => {
  it('removes the second factor of a user who has lost it: their password is enough, and they are notified', async () => {
    const [{ user }, admin] = [await withApp(), await newAdmin()];
    await giveEmail(talpa.sql, user.id, `${user.username}@example.com`);
    const { id } = user;
    expect(await as(admin)('GET /api/admin/users/:id/second-factor', { id })).toMatchObject({
      recoveryCodesLeft: 10,
    });
    await as(admin)('DELETE /api/admin/users/:id/second-factor', { id });
    await talpa.call('POST /api/login', null, { username: user.username, password });
    await expect(as(admin)('DELETE /api/admin/users/:id/second-factor', { id })).rejects.toMatchObject({
      code: 'no_second_factor',
    });
    const [row] = await audited('user.removeFactor', id);
    expect(row).toMatchObject({ actor: { userId: admin.id }, target: { label: user.username } });
    expect(row?.changes).toEqual({ authenticator: {} });
    for (const route of ['GET', 'DELETE'] as const)
      await expect(
        as(admin)(`${route} /api/admin/users/:id/second-factor`, { id: 999_999_999 }),
      ).rejects.toMatchObject({ code: 'not_found' });
    const subject = 'Ein Administrator hat Ihre Zwei-Faktor-Anmeldung entfernt';
    await until('an email', () =>
      inboxOf(server, `${user.username}@example.com`).subjects().includes(subject),
    );
    await until('a notification for the next sign-in', async () => {
      const [first] = await as(user)('GET /api/user/notifications', {});
      return first?.kind === 'factor_reset' && first.readAt === null;
    });
  });

  it('does not remove their own: a stolen session would be enough for that; one who is none any more removes nobody’s', async () => {
    const admin = await newAdmin();
    await setUp(admin);
    await expect(
      as(admin)('DELETE /api/admin/users/:id/second-factor', { id: admin.id }),
    ).rejects.toMatchObject({ code: 'self_factor_removal' });
    expect((await factorOf(admin)).authenticator).not.toBeNull();
    // An assertion says for minutes what somebody was.
    await talpa.sql`update auth.users set is_admin = false where id = ${admin.id}`;
    const removal = as(admin)('DELETE /api/admin/users/:id/second-factor', { id: 1 });
    await expect(removal).rejects.toMatchObject({ code: 'forbidden' });
  });
});

it('a reset by the operator removes the second factor, so that the new password is enough', async () => {
  const { user } = await withApp();
  await talpa.ask('auth.resetAdmin', { username: user.username, password });
  const { session } = await talpa.effects('POST /api/login', null, { username: user.username, password });
  expect(await talpa.whoHas(session)).toMatchObject({ userId: user.id });
  expect(await audited('user.reset', user.id)).toMatchObject([{ changes: { authenticator: {} } }]);
});
