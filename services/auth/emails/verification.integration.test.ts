import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { preferencesSubject } from '@talpa/service-kit/bus/subjects';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { inboxOf } from '@talpa/test-kit/received-mails';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteEnded } from '../cleaner.ts';

const server = await startMailServer();
afterAll(() => server.stop());
const settings = {
  SMTP_URL: server.url,
  MAIL_FROM: 'talpa@example.org',
  PUBLIC_URL: 'https://panel.example.org',
};
const stores = useStores();
const talpa = useServices(stores, ['auth', 'notifications'], settings);
const { newUser, newAdmin, audited, changedEvents } = usersOf(talpa, 'vera');
let made = 0;
const newAddress = () => {
  made += 1;
  return `Vera${made}@example.com`;
};
const enter = (user: TestUser, email: string) =>
  talpa.call('POST /api/user/preferences', user.actor, { email });
const verify = (token: string, given = password) =>
  talpa.call('POST /api/email-verification', null, { token, password: given });
const again = (user: TestUser) => talpa.call('POST /api/user/email-verification', user.actor, {});
const emailOf = (user: TestUser) => talpa.call('GET /api/user/email', user.actor, {});
const shown = async (user: TestUser) => (await talpa.call('GET /api/user/preferences', user.actor, {})).email;
type TestUser = Awaited<ReturnType<typeof newUser>>;

/** Somebody who has entered an address, and what is sent there. */
async function entered() {
  const [user, address] = [await newUser(), newAddress()];
  await enter(user, address);
  return { user, address, inbox: inboxOf(server, address) };
}
/** The same, with the link opened. */
async function verified() {
  const person = await entered();
  await verify((await person.inbox.link('/verify')).token);
  return person;
}
const age = (user: TestUser, interval: string) => talpa.sql`
  update auth.one_time_tokens set created_at = created_at - ${interval}::interval,
    expires_at = expires_at - ${interval}::interval where user_id = ${user.id}`;

beforeEach(() => {
  server.onEnd(() => 'accept');
  server.onRecipient(() => null);
});

describe('an address', () => {
  it('counts once its link and the password have verified it, and is shown before', async () => {
    const { user, address, inbox } = await entered();
    expect(await shown(user)).toBe(address);
    expect(await emailOf(user)).toMatchObject({ verified: null, unverified: address });
    const { url, token } = await inbox.link('/verify');
    expect(url).toBe(`https://panel.example.org/verify#${token}`);
    const published = () => talpa.received(preferencesSubject(user.id)).length;
    const before = [published(), changedEvents(user.id)];
    await verify(token);
    await until('open pages and gateways are notified', () => {
      const [shownBefore = 0, cachedBefore = 0] = before;
      return published() > shownBefore && changedEvents(user.id) > cachedBefore;
    });
    expect(await emailOf(user)).toMatchObject({ verified: address, unverified: null });
    expect(await shown(user)).toBe(address);
    expect(await audited('user.verifyEmail', user.id)).toMatchObject([
      {
        actor: { userId: user.id, isAdmin: false, sessionId: null },
        target: { kind: 'user', id: String(user.id), label: user.username },
        changes: {},
      },
    ]);
  });

  it('that was given when registering is written to at once', async () => {
    const email = newAddress();
    const username = `reg${made}`;
    await talpa.call('POST /api/register', null, { username, password, email });
    await verify((await inboxOf(server, email).link('/verify')).token);
  });

  it('is not verified by a session or its link alone: a thief or a stranger lacks the password', async () => {
    const { user, inbox } = await entered();
    const { token } = await inbox.link('/verify');
    await expect(verify(token, 'geraten-123')).rejects.toMatchObject({
      code: 'wrong_password',
      issues: [{ path: ['password'], key: 'passwordWrong' }],
    });
    expect(await emailOf(user)).toMatchObject({ verified: null });
    await verify(token);
  });

  it('is not verified with a password that is changed while it is checked', async () => {
    const { user, inbox } = await entered();
    const { token } = await inbox.link('/verify');
    const changed = await hash('ganz-neu-123');
    let late: Promise<unknown> | undefined;
    await talpa.sql.begin(async (sql) => {
      await sql`update auth.users set password_hash = ${changed} where id = ${user.id}`;
      late = verify(token).catch((error: unknown) => error);
      const waiting = () => talpa.sql`select 1 from pg_locks where not granted`;
      await until('it waits', async () => (await waiting()).length > 0);
    });
    expect(await late).toMatchObject({ code: 'wrong_password' });
    expect(await emailOf(user)).toMatchObject({ verified: null });
    await verify(token, 'ganz-neu-123');
  });

  it('keeps counting until the one that is to replace it is verified', async () => {
    const { user, address } = await verified();
    const next = newAddress();
    await enter(user, next);
    expect(await emailOf(user)).toMatchObject({ verified: address, unverified: next });
    expect(await shown(user)).toBe(next);
    await verify((await inboxOf(server, next).link('/verify')).token);
    expect(await emailOf(user)).toMatchObject({ verified: next, unverified: null });
  });

  it('that is not verified gets nothing but the link', async () => {
    const { user, inbox } = await entered();
    await inbox.link('/verify');
    await talpa.call('POST /api/user/password', user.actor, {
      currentPassword: password,
      newPassword: password,
    });
    const admin = (await newAdmin()).actor;
    await until('the other email goes nowhere', async () => {
      const mails = await talpa.call('GET /api/admin/mails', admin, { userId: user.id });
      return mails.every(({ state }) => ['sent', 'no_address'].includes(state));
    });
    expect(inbox.mails()).toHaveLength(1);
    const notifications = { userId: user.id, cause: randomUUID(), kind: 'notifications' } as const;
    expect(await talpa.ask('auth.prepareMail', notifications)).toMatchObject({ address: null });
  });

  it('that two accounts enter belongs to the one that verifies it first, whatever its case', async () => {
    const { user, address, inbox } = await entered();
    const other = await newUser();
    const shouted = address.replace('Vera', 'VERA');
    await enter(other, shouted);
    const { token } = await inbox.link('/verify');
    const { token: others } = await inboxOf(server, shouted).link('/verify');
    const both = await Promise.allSettled([verify(token), verify(others)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'email_taken' },
    });
    const counts = await Promise.all([emailOf(user), emailOf(other)]);
    expect(counts.filter(({ verified: it }) => it !== null)).toHaveLength(1);
    const loser = counts[0]?.verified === null ? [user, token] : [other, others];
    await enter(loser[0] === user ? other : user, newAddress());
    await expect(verify(loser[1] as string)).rejects.toMatchObject({ code: 'email_taken' });
  });

  it('may be entered by any user, verified elsewhere or not: that reveals nothing', async () => {
    const { address } = await verified();
    const other = await newUser();
    const free = await newUser();
    const [taken, unknown] = await Promise.all([enter(other, address), enter(free, newAddress())]);
    expect({ ...taken, email: '' }).toEqual({ ...unknown, email: '' });
  });

  it('that counts already needs no link when it is entered instead of another', async () => {
    const { user, address, inbox } = await verified();
    const next = newAddress();
    await enter(user, next);
    const { token } = await inboxOf(server, next).link('/verify');
    await enter(user, address);
    expect(await emailOf(user)).toMatchObject({ verified: address, unverified: null });
    await expect(verify(token)).rejects.toMatchObject({ code: 'verification_link_invalid' });
    expect(inbox.mails()).toHaveLength(1);
  });

  it('is removed when its owner leaves the field empty, and stays when other preferences are saved', async () => {
    const { user, address } = await verified();
    const saved = await talpa.call('POST /api/user/preferences', user.actor, {
      appearance: { theme: 'light' },
    });
    expect(saved).toMatchObject({ email: address, appearance: { theme: 'light' } });
    expect(await emailOf(user)).toMatchObject({ verified: address });
    await enter(user, '');
    expect(await emailOf(user)).toMatchObject({ verified: null, unverified: null });
  });

  it('is in the export, goes with its account, and is forgotten some days after it was replaced', async () => {
    const { user, address } = await verified();
    const next = newAddress();
    await enter(user, next);
    await verify((await inboxOf(server, next).link('/verify')).token);
    const rows = () => talpa.sql`
      select address, ended_at is not null as ended from auth.email_addresses
      where user_id = ${user.id} order by id`;
    expect(await rows()).toEqual([
      { address, ended: true },
      { address: next, ended: false },
    ]);
    const daysLater = async (days: number) => {
      await talpa.sql`
        update auth.email_addresses set ended_at = ended_at - ${days} * interval '1 day' where user_id = ${user.id}`;
      await talpa.sql.begin(async (sql) => {
        await sql`set local search_path = auth`;
        await deleteEnded(sql);
      });
    };
    // The link that reports the change may have been sent after three days.
    await daysLater(10);
    expect(await rows()).toHaveLength(2);
    await daysLater(2);
    expect(await rows()).toEqual([{ address: next, ended: false }]);
    await talpa.call('POST /api/user/deletion', user.actor, { password });
    expect(await rows()).toEqual([]);
  });
});

describe('the link that verifies an address', () => {
  it('is used up by one of two tabs, and says so afterwards', async () => {
    const { inbox } = await entered();
    const { token } = await inbox.link('/verify');
    const tabs = await Promise.allSettled([verify(token), verify(token)]);
    expect(tabs.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(tabs.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'verification_link_used' },
    });
    await expect(verify(token)).rejects.toMatchObject({ code: 'verification_link_used' });
  });

  it('is sent once, even if other preferences are saved before it is opened', async () => {
    const { user, address, inbox } = await entered();
    const { token } = await inbox.link('/verify');
    for (const theme of ['light', 'dark'])
      await talpa.call('POST /api/user/preferences', user.actor, {
        ...{ appearance: { theme }, email: address },
      } as never);
    await verify(token);
    expect(inbox.mails()).toHaveLength(1);
  });

  it('is sent to nobody who is gone', async () => {
    await expect(talpa.call('POST /api/user/email-verification', actorOf(987_654), {})).rejects.toMatchObject(
      {
        code: 'not_signed_in',
      },
    );
  });

  it('expires after a day, and says so', async () => {
    const { user, inbox } = await entered();
    const { token } = await inbox.link('/verify');
    await age(user, '23 hours 59 minutes');
    await age(user, '2 minutes');
    await expect(verify(token)).rejects.toMatchObject({ code: 'verification_link_expired' });
  });

  it('is void after a newer one, after another address, and without its account', async () => {
    const { user, inbox } = await entered();
    const first = await inbox.link('/verify');
    await again(user);
    expect(await audited('user.requestEmailVerification', user.id)).toMatchObject([
      { target: { kind: 'user', id: String(user.id), label: user.username } },
    ]);
    const second = await inbox.link('/verify', 2);
    await expect(verify(first.token)).rejects.toMatchObject({ code: 'verification_link_invalid' });
    const next = newAddress();
    await enter(user, next);
    await expect(verify(second.token)).rejects.toMatchObject({ code: 'verification_link_invalid' });
    const third = await inboxOf(server, next).link('/verify');
    await talpa.call('POST /api/user/deletion', user.actor, { password });
    await expect(verify(third.token)).rejects.toMatchObject({ code: 'verification_link_invalid' });
  });

  it('is sent three times an hour at most; a further address is stored all the same', async () => {
    const { user, inbox } = await entered();
    for (const sent of [1, 2]) {
      await inbox.link('/verify', sent);
      await again(user);
    }
    await expect(again(user)).rejects.toMatchObject({
      code: 'too_many_requests',
      params: { seconds: expect.any(Number) },
    });
    // Another address makes it void, and what is void is not sent.
    await inbox.link('/verify', 3);
    const next = newAddress();
    await enter(user, next);
    expect(await shown(user)).toBe(next);
    expect(inboxOf(server, next).mails()).toEqual([]);
    await age(user, '1 hour');
    await again(user);
    await inboxOf(server, next).link('/verify');
  });

  it('is sent to one address ten times an hour at most, even if another asks who has asked for others before', async () => {
    const [address, others] = [newAddress(), await newUser()];
    await talpa.sql`
      with entered as (
        insert into auth.email_addresses (user_id, address, address_key)
        values (${others.id}, ${address}, ${address.toLowerCase()}) returning id, user_id)
      insert into auth.one_time_tokens (user_id, purpose, address_id, created_at, expires_at, voided_at)
      select user_id, 'verify_email', id, now() - minutes * interval '1 minute', now() + interval '1 day', now()
      from entered, generate_series(1, 10) as minutes`;
    const { user } = await entered();
    for (const email of [newAddress(), address]) await enter(user, email);
    // Until the oldest of the ten is an hour old.
    const seconds = expect.toSatisfy((one: number) => one > 2_900 && one <= 3_000);
    await expect(again(user)).rejects.toMatchObject({ code: 'too_many_requests', params: { seconds } });
    await age(others as TestUser, '50 minutes');
    await again(user);
    expect((await inboxOf(server, address).link('/verify')).mail.subject).toContain('Bestätigen');
  });

  it('is not sent for an address that is verified, or without one', async () => {
    const { user } = await verified();
    for (const one of [user, await newUser()])
      await expect(again(one)).rejects.toMatchObject({ code: 'email_verified' });
  });

  it('is written in the language of who requests it', async () => {
    const { user, inbox } = await entered();
    await inbox.link('/verify');
    await talpa.sql`update auth.users set language = 'en' where id = ${user.id}`;
    await again(user);
    expect((await inbox.link('/verify', 2)).mail.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse');
  });

  it('counts in each of the emails that may have arrived when an answer was lost', async () => {
    server.onEnd(() => 'drop');
    const { user, inbox } = await entered();
    const first = await inbox.link('/verify');
    server.onEnd(() => 'accept');
    await until('it is stored', async () => {
      const { count } = await talpa.sql`
        update notifications.mails set due_at = now() where user_id = ${user.id} and state = 'queued'`;
      return count > 0;
    });
    const second = await inbox.link('/verify', 2);
    expect(second.token).not.toBe(first.token);
    expect(second.mail.messageId).toBe(first.mail.messageId);
    await verify(first.token);
    await expect(verify(second.token)).rejects.toMatchObject({ code: 'verification_link_used' });
  });

  it('is not sent any more once it is void', async () => {
    server.onEnd(() => 451);
    const { user, address } = await entered();
    const admin = (await newAdmin()).actor;
    const states = async () =>
      (await talpa.call('GET /api/admin/mails', admin, { userId: user.id })).map(({ state }) => state);
    await until('an attempt has failed', () => inboxOf(server, address).mails().length > 0);
    await enter(user, newAddress());
    server.onEnd(() => 'accept');
    await until('no attempt is left', async () => {
      await talpa.sql`update notifications.mails set due_at = now() where user_id = ${user.id} and state = 'queued'`;
      return (await states()).every((state) => ['sent', 'outdated'].includes(state));
    });
    expect(await states()).toEqual(['sent', 'outdated']);
  });

  it('is ordered while the mail server hangs or refuses, without waiting for it', async () => {
    for (const answer of ['hang', 550] as const) {
      server.onEnd(() => answer);
      const { user, address } = await entered();
      expect(await shown(user)).toBe(address);
      await until('it has come', () => inboxOf(server, address).mails().length > 0);
    }
    server.hangUp();
  });

  it('and its secret are stored as hashes alone', async () => {
    const { user, inbox } = await entered();
    const { token } = await inbox.link('/verify');
    const [{ dump } = { dump: '' }] = await talpa.sql<{ dump: string }[]>`
      select (select string_agg(to_jsonb(t)::text, ' ') from auth.one_time_tokens t where user_id = ${user.id})
        || (select string_agg(to_jsonb(m)::text, ' ') from notifications.mails m where user_id = ${user.id}) as dump`;
    expect(dump).toContain('verify_email');
    expect(dump).not.toContain(token);
    expect(dump).not.toContain(Buffer.from(token).toString('hex'));
  });
});
