import { giveEmail } from '@talpa/test-kit/emails';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { password, peopleOf } from '@talpa/test-kit/people';
import { inboxOf } from '@talpa/test-kit/received-mails';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const server = await startMailServer();
afterAll(() => server.stop());
const talpa = useServices(useStores(), ['auth', 'notifications'], {
  ...{ SMTP_URL: server.url, MAIL_FROM: 'talpa@example.org' },
  PUBLIC_URL: 'https://panel.example.org',
});
const { newPerson, newAdmin, audited, signIn } = peopleOf(talpa, 'rolf');
const newPassword = 'ganz-neu-123';
const ask = (account: string) => talpa.call('POST /api/password-reset-request', null, { account });
const reset = (token: string, given = newPassword) =>
  talpa.call('POST /api/password-reset', null, { token, newPassword: given });
type Person = Awaited<ReturnType<typeof newPerson>>;

/** Somebody with a verified address, and what is sent there. */
async function reachable() {
  const user = await newPerson();
  const address = `${user.username}@example.com`;
  await giveEmail(talpa.sql, user.id, address);
  return { user, address, inbox: inboxOf(server, address) };
}
/** Until every request that was made has been looked at. */
const handled = () =>
  until('the requests are handled', async () => {
    const [row] = await talpa.sql<{ count: number }[]>`select count(*) from auth.reset_requests`;
    return row?.count === 0;
  });
const age = (user: Person, interval: string) => talpa.sql`
  update auth.one_time_tokens set created_at = created_at - ${interval}::interval,
    expires_at = expires_at - ${interval}::interval where user_id = ${user.id}`;

beforeEach(() => {
  server.onEnd(() => 'accept');
});

describe('who has forgotten their password', () => {
  it.each(['name', 'address'])(
    'asks by their %s, whatever its case, sets a new one, and is told that it was changed',
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
        { actor: null, origin: { address: '192.0.2.1' }, target: { label: user.username } },
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
