import { giveEmail } from '@talpa/test-kit/emails';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { addPasskey } from '@talpa/test-kit/passkeys';
import { inboxOf } from '@talpa/test-kit/received-mails';
import { type CallAs, setUpApp } from '@talpa/test-kit/second-factors';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteEnded } from '../cleaner.ts';

const server = await startMailServer();
afterAll(() => server.stop());
const talpa = useServices(useStores(), ['auth', 'notifications'], {
  ...{ SMTP_URL: server.url, MAIL_FROM: 'talpa@example.org' },
  PUBLIC_URL: 'https://panel.example.org',
});
const { newUser, newAdmin, audited, signIn } = usersOf(talpa, 'rolf');
const newPassword = 'ganz-neu-123';
const ask = (account: string) => talpa.call('POST /api/password-reset-request', null, { account });
const reset = (token: string, given = newPassword) =>
  talpa.call('POST /api/password-reset', null, { token, newPassword: given });
const report = (token: string) => talpa.call('POST /api/intrusion-report', null, { token });
const emailOf = (user: TestUser) => talpa.call('GET /api/user/email', user.actor, {});
/** Changes somebody's address, as they or a thief would. */
async function move(user: TestUser, address: string): Promise<void> {
  await talpa.call('POST /api/user/preferences', user.actor, { email: address });
  const { token } = await inboxOf(server, address).link('/verify');
  await talpa.call('POST /api/email-verification', null, { token, password });
}
const changePassword = (user: TestUser) =>
  talpa.call('POST /api/user/password', user.actor, { currentPassword: password, newPassword: password });
type TestUser = Awaited<ReturnType<typeof newUser>>;

/** Somebody with a verified address, and what is sent there. */
async function reachable() {
  const user = await newUser();
  const address = `${user.username}@example.com`;
  await giveEmail(talpa.sql, user.id, address);
  return { user, address, inbox: inboxOf(server, address) };
}
/** What opens their account beside the password. */
const credentialsOf = async ({ id }: TestUser) => {
  const [found] = await talpa.sql`
    select (select array_agg(name) from auth.api_keys where user_id = ${id}) as keys,
      (select count(*)::integer from auth.passkeys where user_id = ${id}) as passkeys,
      (select count(*)::integer from auth.authenticators where user_id = ${id}) as apps`;
  return found;
};
/** Until every request that was made has been looked at. */
const handled = () =>
  until('the requests are handled', async () => {
    const [row] = await talpa.sql<{ count: number }[]>`select count(*) from auth.reset_requests`;
    return row?.count === 0;
  });
const age = (user: TestUser, interval: string) => talpa.sql`
  update auth.one_time_tokens set created_at = created_at - ${interval}::interval,
    expires_at = expires_at - ${interval}::interval where user_id = ${user.id}`;

beforeEach(() => {
  server.onEnd(() => 'accept');
});

describe('who has forgotten their password', () => {
  it.each(['name', 'address'])(
    'asks by their %s, whatever its case, sets a new one, and gets an email about the change',
    async (by) => {
      const { user, address, inbox } = await reachable();
      await ask((by === 'name' ? user.username : address).toUpperCase());
      const { url, token } = await inbox.link('/reset');
      expect(url).toBe(`https://panel.example.org/reset#${token}`);
      await reset(token);
      expect(await talpa.whoHas(user.token)).toBeNull();
      await signIn(user.username, newPassword);
      await until('the other email', () => inbox.subjects().includes('Ihr Passwort wurde geändert'));
      await expect(reset(token)).rejects.toMatchObject({ code: 'reset_link_used' });
      expect(await audited('user.requestPasswordReset', user.id)).toMatchObject([
        { actor: null, client: { address: '192.0.2.1' }, target: { label: user.username } },
      ]);
    },
  );

  it('gets the same answer whether or not there is such an account, before anybody looks', async () => {
    const { user, address, inbox } = await reachable();
    await talpa.sql.begin(async (sql) => {
      // Nobody can read an account now.
      await sql`lock table auth.users, auth.email_addresses in access exclusive mode`;
      for (const account of [user.username, address, 'gibt-es-nicht', 'niemand@example.com'])
        expect(await ask(account)).toBeNull();
      expect(inbox.mails()).toEqual([]);
    });
    await inbox.link('/reset');
    await handled();
    expect(inboxOf(server, 'niemand@example.com').mails()).toEqual([]);
  });

  it('gets nothing at an address that is not verified, or was replaced', async () => {
    const { user, address, inbox } = await reachable();
    const unverified = `neu-${address}`;
    await talpa.call('POST /api/user/preferences', user.actor, { email: unverified });
    await ask(unverified);
    await handled();
    const former = inbox.mails().length;
    await giveEmail(talpa.sql, user.id, `dann-${address}`);
    await ask(address);
    await handled();
    const witness = inboxOf(server, `dann-${address}`);
    await ask(user.username);
    await witness.link('/reset');
    expect(inbox.mails()).toHaveLength(former);
    expect(inboxOf(server, unverified).subjects()).toEqual(['Bestätigen Sie Ihre E-Mail-Adresse']);
  });

  it('gets three links an hour, of which the newest works', async () => {
    const { user, inbox } = await reachable();
    const tokens: string[] = [];
    for (const count of [1, 2, 3]) {
      await ask(user.username);
      tokens.push((await inbox.link('/reset', count)).token);
    }
    await ask(user.username);
    await handled();
    await age(user, '1 minute');
    for (const token of tokens.slice(0, 2))
      await expect(reset(token)).rejects.toMatchObject({ code: 'reset_link_invalid' });
    await reset(tokens[2] ?? '');
    await age(user, '1 hour');
    await ask(user.username);
    await inbox.link('/reset', 4);
  });

  it('gets a link that expires, and that a new password or a deletion makes void', async () => {
    const { user, inbox } = await reachable();
    await ask(user.username);
    const { token } = await inbox.link('/reset');
    await age(user, '31 minutes');
    await expect(reset(token)).rejects.toMatchObject({ code: 'reset_link_expired' });
    await ask(user.username);
    const second = await inbox.link('/reset', 2);
    const { actor } = user;
    await talpa.call('POST /api/user/password', actor, { currentPassword: password, newPassword });
    await expect(reset(second.token)).rejects.toMatchObject({ code: 'reset_link_invalid' });
    await ask(user.username);
    const third = await inbox.link('/reset', 3);
    await talpa.call('POST /api/user/deletion', actor, { password: newPassword });
    await expect(reset(third.token)).rejects.toMatchObject({ code: 'reset_link_invalid' });
  });

  it('is not written to any more when the password was changed while the mail server was away', async () => {
    server.onEnd(() => 451);
    const { user, inbox } = await reachable();
    await ask(user.username);
    await until('an attempt', () => inbox.mails().length > 0);
    await talpa.call('POST /api/user/password', user.actor, { currentPassword: password, newPassword });
    server.onEnd(() => 'accept');
    const { actor } = await newAdmin();
    await until('no attempt is left', async () => {
      await talpa.sql`update notifications.mails set due_at = now() where user_id = ${user.id} and state = 'queued'`;
      const mails = await talpa.call('GET /api/admin/mails', actor, {
        userId: user.id,
        kind: 'reset_password',
      });
      return mails[0]?.state === 'outdated';
    });
  });

  it('waits for nobody whose request cannot be handled, which is tried again and given up in the end', async () => {
    const [{ user }, { user: next, inbox }] = [await reachable(), await reachable()];
    // Its rows must be refused, whatever refuses them.
    await talpa.sql`create function auth.refuse() returns trigger language plpgsql as
      $$ begin if new.user_id = tg_argv[0]::bigint then raise 'refused'; end if; return new; end $$`;
    await talpa.sql.unsafe(`create trigger refuse before insert on auth.one_time_tokens
      for each row execute function auth.refuse(${user.id})`);
    await ask(user.username);
    await ask(next.username);
    await inbox.link('/reset');
    const failuresOf = () => talpa.sql<{ failures: number; waits: boolean }[]>`
      select failures, due_at > now() as waits from auth.reset_requests where account = ${user.username}`;
    for (const failures of [1, 2, 3, 4]) {
      await until('another failure', async () => (await failuresOf())[0]?.failures === failures);
      expect(await failuresOf()).toEqual([{ failures, waits: true }]);
      await talpa.sql`update auth.reset_requests set due_at = now()`;
    }
    await until('it is given up', async () => (await failuresOf()).length === 0);
    await ask(user.username);
    await until('a failure', async () => (await failuresOf()).length === 1);
    await talpa.sql`drop function auth.refuse cascade`;
    await talpa.sql`update auth.reset_requests set due_at = now()`;
    await inboxOf(server, `${user.username}@example.com`).link('/reset');
  });

  it('gets a link also while suspended, as they may sign in', async () => {
    const { user, inbox } = await reachable();
    await talpa.sql`
      update auth.users set suspended_at = now(), suspension_reason = 'Spam' where id = ${user.id}`;
    await ask(user.username);
    await reset((await inbox.link('/reset')).token);
    const { session } = await signIn(user.username, newPassword);
    expect(await talpa.whoHas(session)).toMatchObject({ suspensionReason: 'Spam' });
  });
});

describe('who gets an email about something they did not do', () => {
  it('ends every session and the password with the link, once, and gets a reset link', async () => {
    const { user, inbox } = await reachable();
    const { session } = await signIn(user.username);
    await changePassword(user);
    const { url, token } = await inbox.link('/not-me');
    expect(url).toBe(`https://panel.example.org/not-me#${token}`);
    const tabs = await Promise.allSettled([report(token), report(token)]);
    expect(tabs.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(tabs.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'not_me_link_used' },
    });
    expect(await talpa.whoHas(user.token)).toBeNull();
    expect(await talpa.whoHas(session)).toBeNull();
    await expect(signIn(user.username)).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(report(token)).rejects.toMatchObject({ code: 'not_me_link_used' });
    await reset((await inbox.link('/reset')).token);
    await signIn(user.username, newPassword);
    expect(await audited('user.reportIntrusion', user.id)).toMatchObject([
      {
        actor: { userId: user.id, isAdmin: false, sessionId: null },
        target: { kind: 'user', id: String(user.id), label: user.username },
        changes: { password: {} },
      },
    ]);
  });

  it('ends with it what was added since, and nothing from before', async () => {
    const { user, inbox } = await reachable();
    const as: CallAs = (route, input) => talpa.call(route, user.actor, input);
    const makeKey = (name: string) =>
      as('POST /api/user/api-keys', { name, scopes: ['account:read'], days: null });
    await makeKey('vorher');
    await inbox.link('/not-me');
    await changePassword(user);
    const { token } = await inbox.link('/not-me', 2);
    await makeKey('danach');
    await addPasskey(as, 'https://panel.example.org');
    await setUpApp(as);
    await report(token);
    expect(await credentialsOf(user)).toEqual({ keys: ['vorher'], passkeys: 0, apps: 0 });
  });

  it('takes back nothing that was announced to another address since: who still reads the former mailbox could', async () => {
    const { user, address, inbox } = await reachable();
    await changePassword(user);
    const { token } = await inbox.link('/not-me');
    await move(user, `neu-${address}`);
    const as: CallAs = (route, input) => talpa.call(route, user.actor, input);
    await as('POST /api/user/api-keys', { name: 'danach', scopes: ['account:read'], days: null });
    await addPasskey(as, 'https://panel.example.org');
    await setUpApp(as);
    await report(token);
    expect(await credentialsOf(user)).toEqual({ keys: ['danach'], passkeys: 1, apps: 1 });
  });

  it('takes the account back from somebody who has changed its address and could have done the same', async () => {
    const { user, address, inbox } = await reachable();
    const thiefs = inboxOf(server, `dieb-${address}`);
    await move(user, `dieb-${address}`);
    expect((await inbox.link('/not-me')).mail.subject).toBe('Ihre E-Mail-Adresse wurde geändert');
    await changePassword(user);
    await ask(user.username);
    const [theirs, theirReset] = [await thiefs.link('/not-me'), await thiefs.link('/reset')];
    await talpa.call('POST /api/user/preferences', user.actor, { email: `dann-${address}` });
    const theirNext = await inboxOf(server, `dann-${address}`).link('/verify');

    await report((await inbox.link('/not-me')).token);
    expect(await emailOf(user)).toMatchObject({ verified: address, unverified: null });
    await expect(report(theirs.token)).rejects.toMatchObject({ code: 'not_me_link_invalid' });
    await expect(reset(theirReset.token)).rejects.toMatchObject({ code: 'reset_link_invalid' });
    await expect(
      talpa.call('POST /api/email-verification', null, { token: theirNext.token, password }),
    ).rejects.toMatchObject({ code: 'verification_link_invalid' });
    await reset((await inbox.link('/reset')).token);
    await signIn(user.username, newPassword);
  });

  it('gets an email at the old address when it is removed', async () => {
    const { user, address, inbox } = await reachable();
    await talpa.call('POST /api/user/preferences', user.actor, { email: '' });
    await report((await inbox.link('/not-me')).token);
    expect(await emailOf(user)).toMatchObject({ verified: address, unverified: null });
  });

  it('gets no address back that another account has verified since, and the one that replaced it resets nothing', async () => {
    const { user, address, inbox } = await reachable();
    await move(user, `neu-${address}`);
    const { token } = await inbox.link('/not-me');
    const other = await newUser();
    await move(other, address);
    await ask(user.username);
    const theirReset = await inboxOf(server, `neu-${address}`).link('/reset');
    await report(token);
    await expect(reset(theirReset.token)).rejects.toMatchObject({ code: 'reset_link_invalid' });
    expect(await emailOf(other)).toMatchObject({ verified: address, unverified: null });
    expect(await emailOf(user)).toMatchObject({ verified: null, unverified: null });
    await ask(`neu-${address}`);
    await ask(user.username);
    const links = await talpa.sql`
      select 1 from auth.one_time_tokens
      where user_id = ${user.id} and purpose = 'reset_password' and voided_at is null`;
    expect(links).toEqual([]);
  });

  it('has a week for it', async () => {
    const { user, inbox } = await reachable();
    await changePassword(user);
    const { token } = await inbox.link('/not-me');
    await age(user, '7 days 1 minute');
    await expect(report(token)).rejects.toMatchObject({ code: 'not_me_link_expired' });
    expect(await talpa.whoHas(user.token)).not.toBeNull();
  });

  it('learns nothing from a link that nobody made, or whose account is gone', async () => {
    const { user, inbox } = await reachable();
    await changePassword(user);
    const { token } = await inbox.link('/not-me');
    await talpa.call('POST /api/user/deletion', user.actor, { password });
    for (const unknown of [token, 'x', 'A'.repeat(43)])
      await expect(report(unknown)).rejects.toMatchObject({ code: 'not_me_link_invalid' });
  });
});

describe('a sign-in', () => {
  const signInWith = async (user: TestUser, userAgent: string, device: string, address = '192.0.2.1') =>
    talpa.effects(
      'POST /api/login',
      null,
      { username: user.username, password },
      { address, userAgent, device },
    );
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

  it('with a new browser gets an email that describes it; with a known one none', async () => {
    const { user, inbox } = await reachable();
    await signInWith(user, firefox, 'a', '192.0.2.2');
    const { mail } = await inbox.link('/not-me');
    expect(mail.subject).toBe('Neue Anmeldung bei Ihrem Konto');
    expect(mail.text).toContain('Firefox, Linux, IP-Adresse 192.0.2.2');
    // The same browser elsewhere, and one that keeps nothing in the same place.
    await signInWith(user, firefox, 'a', '192.0.2.3');
    await signInWith(user, firefox, 'b', '192.0.2.3');
    await signInWith(user, chrome, 'c', '192.0.2.3');
    const second = await inbox.link('/not-me', 2);
    expect(second.mail.text).toContain('Chrome, Windows');
    // What was ordered: another email might come later.
    const ordered = await talpa.sql`
      select 1 from auth.one_time_tokens where user_id = ${user.id} and purpose = 'not_me'`;
    expect(ordered).toHaveLength(2);
  });

  it('sends no email without a verified address, and the first of an account is never new', async () => {
    const user = await newUser();
    await signInWith(user, chrome, 'x', '192.0.2.9');
    const { user: fresh, inbox } = await reachable();
    await talpa.sql`delete from auth.known_devices where user_id = ${fresh.id}`;
    await signInWith(fresh, chrome, 'y', '192.0.2.9');
    await changePassword(fresh);
    await inbox.link('/not-me');
    expect(inbox.subjects()).toEqual(['Ihr Passwort wurde geändert']);
    const { actor } = await newAdmin();
    await until('it goes nowhere', async () => {
      const mails = await talpa.call('GET /api/admin/mails', actor, { userId: user.id });
      return mails.length === 1 && mails[0]?.state === 'no_address';
    });
  });

  it('with a browser that was reported, or not used for half a year, gets an email as with a new one', async () => {
    const { user, inbox } = await reachable();
    const newDeviceMails = () =>
      inbox.mails().filter(({ subject }) => subject === 'Neue Anmeldung bei Ihrem Konto');
    await signInWith(user, chrome, 'theirs', '192.0.2.7');
    await report((await inbox.link('/not-me')).token);
    await reset((await inbox.link('/reset')).token, password);
    await signInWith(user, firefox, 'own', '192.0.2.6');
    await signInWith(user, chrome, 'theirs', '192.0.2.7');
    await until('the second sign-in', () => newDeviceMails().length === 2);
    await talpa.sql`
      update auth.known_devices set last_used_at = now() - case id when 'own' then 181 else 179 end * interval '1 day'
      where user_id = ${user.id}`;
    await talpa.sql.begin(async (sql) => {
      await sql`set local search_path = auth`;
      await deleteEnded(sql);
    });
    await signInWith(user, chrome, 'theirs', '192.0.2.7');
    await signInWith(user, firefox, 'own', '192.0.2.6');
    await until('the third', () => newDeviceMails().length === 3);
    const browsers = newDeviceMails().map(({ text }) => /Chrome|Firefox/.exec(text ?? '')?.[0]);
    expect(browsers).toEqual(['Chrome', 'Chrome', 'Firefox']);
  });

  it('waits for no mail server', async () => {
    server.onEnd(() => 'hang');
    const { user, inbox } = await reachable();
    await signInWith(user, firefox, 'z', '192.0.2.8');
    await until('it has come', () => inbox.mails().length > 0);
    server.hangUp();
  });
});
