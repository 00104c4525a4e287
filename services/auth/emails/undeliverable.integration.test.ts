import { randomUUID } from 'node:crypto';
import { preferencesSubject } from '@talpa/service-kit/bus/subjects';
import { giveEmail } from '@talpa/test-kit/emails';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { inboxOf } from '@talpa/test-kit/received-mails';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const server = await startMailServer();
afterAll(() => server.stop());
beforeEach(() => server.onRecipient(() => null));
const talpa = useServices(useStores(), ['auth', 'notifications'], {
  ...{ SMTP_URL: server.url, MAIL_FROM: 'talpa@example.org' },
  PUBLIC_URL: 'https://panel.example.org',
});
const { newUser, newAdmin } = usersOf(talpa, 'uli');
type TestUser = Awaited<ReturnType<typeof newUser>>;
const emailOf = (user: TestUser) => talpa.call('GET /api/user/email', user.actor, {});
const again = (user: TestUser) => talpa.call('POST /api/user/email-verification', user.actor, {});
const enter = (user: TestUser, email: string) =>
  talpa.call('POST /api/user/preferences', user.actor, { email });
const verify = (token: string) => talpa.call('POST /api/email-verification', null, { token, password });

describe('an address that the mail server refuses', () => {
  const reachable = async () => {
    const [user, address] = [await newUser(), `${randomUUID().slice(0, 8)}@example.com`];
    await giveEmail(talpa.sql, user.id, address);
    return { user, address, inbox: inboxOf(server, address) };
  };
  const changePassword = (user: TestUser) =>
    talpa.call('POST /api/user/password', user.actor, { currentPassword: password, newPassword: password });
  const refuse = (refused: string) => server.onRecipient((address) => (address === refused ? 550 : null));
  const undeliverable = (user: TestUser, addresses: readonly string[]) =>
    until(`undeliverable: ${addresses}`, async () => {
      const email = await emailOf(user);
      return email.undeliverable.join() === addresses.join() && email;
    });
  const notifications = async (user: TestUser) => {
    const inbox = await talpa.call('GET /api/user/notifications', user.actor, {});
    return inbox.filter(({ kind }) => kind === 'email_undeliverable');
  };
  const statesOf = async (user: TestUser) => {
    const { actor } = await newAdmin();
    const mails = await talpa.call('GET /api/admin/mails', actor, { userId: user.id });
    return mails.map(({ kind, state }) => `${kind} ${state}`);
  };

  it('is shown and published as undeliverable, and gets only requested emails until one is accepted', async () => {
    const { user, address, inbox } = await reachable();
    const before = talpa.received(preferencesSubject(user.id)).length;
    refuse(address);
    await changePassword(user);
    await undeliverable(user, ['verified']);
    // Notifications inserts it after auth has stored the refusal.
    await until('the notification', async () => (await notifications(user)).length > 0);
    expect(await notifications(user)).toMatchObject([{ topic: 'security', level: 'warning', params: {} }]);
    expect(talpa.received(preferencesSubject(user.id)).length).toBeGreaterThan(before);

    server.onRecipient(() => null);
    await changePassword(user);
    await until('it goes nowhere', async () =>
      (await statesOf(user)).includes('password_changed no_address'),
    );
    expect(inbox.mails()).toEqual([]);
    await talpa.call('POST /api/password-reset-request', null, { account: user.username });
    await inbox.link('/reset');
    await undeliverable(user, []);
    await changePassword(user);
    await until('the next email', () => inbox.subjects().includes('Ihr Passwort wurde geändert'));
    expect(await notifications(user)).toHaveLength(1);
    refuse(address);
    await changePassword(user);
    await until('the next notification', async () => (await notifications(user)).length === 2);
  });

  it('can be verified anew by its user, who is notified once however often it is refused', async () => {
    const { user, address, inbox } = await reachable();
    await expect(again(user)).rejects.toMatchObject({ code: 'email_verified' });
    refuse(address);
    await changePassword(user);
    await undeliverable(user, ['verified']);
    await again(user);
    await until('it is refused again', async () => (await statesOf(user)).includes('verify_email refused'));
    expect(await notifications(user)).toHaveLength(1);
    server.onRecipient(() => null);
    await again(user);
    const { token } = await inbox.link('/verify');
    // Another email was refused before it is opened.
    await talpa.sql`update auth.email_addresses set undeliverable_at = now() where user_id = ${user.id}`;
    await verify(token);
    expect(await undeliverable(user, [])).toMatchObject({ verified: address, unverified: null });
    // It replaces no address, so there is no change to notify of.
    expect(inbox.subjects()).not.toContain('Ihre E-Mail-Adresse wurde geändert');
  });

  it('may be one that was mistyped, beside one that works, until another one is entered', async () => {
    const { user, address } = await reachable();
    const mistyped = `tippfehler-${address}`;
    refuse(mistyped);
    await enter(user, mistyped);
    await undeliverable(user, ['unverified']);
    const { actor } = await newAdmin();
    expect(await talpa.call('GET /api/admin/users/:id/email', actor, { id: user.id })).toEqual({
      ...{ verified: address, unverified: mistyped },
      undeliverable: ['unverified'],
    });
    await enter(user, `richtig-${address}`);
    await undeliverable(user, []);
    await expect(talpa.call('GET /api/admin/users/:id/email', actor, { id: 999_999 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
