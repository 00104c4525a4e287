import type { EventOf } from '@talpa/contracts';
import { appliedSubject, eventSubject } from '@talpa/service-kit/bus/subjects';
import { giveEmail } from '@talpa/test-kit/emails';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { inboxOf } from '@talpa/test-kit/received-mails';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { planSnapshot, proxySnapshot } from '@talpa/test-kit/snapshots';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { until } from '@talpa/test-kit/wait';
import { afterAll, expect, it } from 'vitest';
import { claimDue } from './sql.ts';

const server = await startMailServer();
afterAll(() => server.stop());
const talpa = useServices(useStores(), ['auth', 'notifications'], {
  ...{ SMTP_URL: server.url, MAIL_FROM: 'talpa@example.org', PUBLIC_URL: 'https://panel.example.org' },
});
const { newUser, audited, published } = usersOf(talpa, 'nora');
const admin = actorOf(1, { isAdmin: true });
const suspension = { reason: 'Spam', since: new Date().toISOString() };
const unsubscribe = (token: string) => talpa.call('POST /api/unsubscription', null, { token });

/** Publishes a snapshot, and returns when notifications has it. */
async function publish<N extends 'proxy' | 'subscription'>(name: N, snapshot: EventOf<N>): Promise<void> {
  const applied = () => talpa.received(appliedSubject('notifications', name, String(snapshot.id))).length;
  const before = applied();
  await talpa.publishStored(eventSubject(name, String(snapshot.id)), snapshot);
  await until('the projection', () => applied() > before);
}

/** Somebody with a verified address, and whether they want emails. */
async function reader(email = true) {
  const user = await newUser();
  const address = `${user.username}@example.com`;
  await giveEmail(talpa.sql, user.id, address);
  const known = () => talpa.received(appliedSubject('notifications', 'user', String(user.id))).length;
  await until('the person', () => known() > 0);
  const preferencesOf = () => talpa.call('GET /api/user/preferences', user.actor, {});
  const prefer = async (notifications: object) => {
    const before = known();
    await talpa.call('POST /api/user/preferences', user.actor, { notifications });
    await until('the preferences', () => known() > before);
  };
  if (email) await prefer({ email });
  const logged = async () =>
    (
      await talpa.call('GET /api/admin/mails', admin, { userId: user.id, kind: 'notifications' })
    ).toReversed();
  return {
    ...{ user, address, prefer, preferencesOf, logged },
    ...inboxOf(server, address),
    /** A proxy of theirs is suspended, or no longer. */
    suspend: async (proxy = proxySnapshot(user.id)) => {
      await publish('proxy', proxy);
      const suspended = { ...proxy, suspension, version: proxy.version + 1 };
      await publish('proxy', suspended);
      return { ...suspended, suspension: null, version: suspended.version + 1 };
    },
    /** Lets the minute pass in which an email takes in more. */
    skipTime: () => talpa.sql`
      update notifications.mails set due_at = now() where user_id = ${user.id} and due_at is not null`,
    states: async (...states: string[]) =>
      until(`the emails ${states}`, async () => {
        const found = await logged();
        return JSON.stringify(found.map(({ state }) => state)) === JSON.stringify(states) && found;
      }),
  };
}
type Reader = Awaited<ReturnType<typeof reader>>;

/** The secret of the link that ends such emails, as the newest email has it. */
function secretOf({ mails }: Reader): string {
  const header =
    mails()
      .at(-1)
      ?.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const [, token] = /^<https:\/\/panel\.example\.org\/unsubscribe\?token=([\w-]{43})>$/.exec(header) ?? [];
  if (!token) throw new Error(`no link to unsubscribe in “${header}”`);
  return token;
}

it('what comes into the inbox within a minute is one email, in its reader’s language, each cause once', async () => {
  const anna = await reader();
  const resumed = await anna.suspend();
  await publish('proxy', resumed);
  await publish('proxy', { ...resumed, version: resumed.version + 1 });
  expect(anna.mails()).toEqual([]);
  await anna.skipTime();
  await anna.states('sent');
  expect(anna.subjects()).toEqual(['2 neue Mitteilungen']);
  const [mail] = anna.mails();
  expect(mail?.text).toContain(`Proxy „${resumed.serverName}“ gesperrt\nEin Administrator`);
  expect(mail?.text).toContain(`https://panel.example.org/tunnel-configuration/${resumed.proxyId}\n`);
  expect(mail?.text).toContain(`Sperre von „${resumed.serverName}“ aufgehoben`);
  // What comes later is another email.
  await talpa.sql`update auth.users set language = 'en' where id = ${anna.user.id}`;
  await anna.suspend({ ...resumed, version: resumed.version + 2 });
  await anna.skipTime();
  await anna.states('sent', 'sent');
  expect(anna.subjects()[1]).toBe(`Proxy “${resumed.serverName}” suspended`);
});

it('an email that is being sent takes in nothing more', async () => {
  const anna = await reader();
  const resumed = await anna.suspend();
  await talpa.sql.begin(async (sql) => {
    await sql`set local search_path to notifications, public`;
    await sql`update mails set due_at = '-infinity' where user_id = ${anna.user.id}`;
    const claimed = await claimDue(sql as never, 1);
    expect(claimed.map(({ userId }) => userId)).toEqual([anna.user.id]);
  });
  await publish('proxy', resumed);
  expect(await anna.logged()).toMatchObject([{ state: 'sending' }, { state: 'queued' }]);
});

it('the switches decide: nothing goes to those who want no emails, or no such notifications', async () => {
  const off = await reader(false);
  await off.suspend();
  const deaf = await reader();
  await deaf.prefer({ email: true, system: false });
  await deaf.suspend();
  // Users get no notification of their own actions.
  const busy = await reader();
  await publish('subscription', planSnapshot(busy.user.id, { proxyLimit: 2 }));
  await publish('proxy', proxySnapshot(busy.user.id));
  await publish('proxy', proxySnapshot(busy.user.id));
  const inbox = await talpa.call('GET /api/user/notifications', busy.user.actor, {});
  expect(inbox.map(({ kind }) => kind)).toEqual(['limit_reached']);
  for (const one of [off, deaf, busy]) expect(await one.logged()).toEqual([]);
});

it('who turns the switch off before an email is sent does not get it, nor who has no verified address', async () => {
  const anna = await reader();
  await anna.suspend();
  await anna.prefer({ email: false });
  await anna.skipTime();
  await anna.states('outdated');
  const ben = await reader();
  await talpa.sql`update auth.email_addresses set verified_at = null where user_id = ${ben.user.id}`;
  await ben.suspend();
  await ben.skipTime();
  await ben.states('no_address');
  expect([...anna.mails(), ...ben.mails()]).toEqual([]);
});

it('waits for the end of quiet hours and takes in what comes until then, but not if it is about security', async () => {
  const anna = await reader();
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const quietHours = { from: clock(-1), to: clock(2), timeZone: 'UTC' };
  await anna.prefer({ email: true, quietHours });
  const resumed = await anna.suspend();
  await anna.skipTime();
  const [waiting] = await until('it waits', async () => {
    const found = await anna.states('queued');
    return Date.parse(found[0]?.nextAttemptAt ?? '') > Date.now() + 3_600_000 && found;
  });
  expect(Date.parse(waiting?.nextAttemptAt ?? '')).toBeLessThanOrEqual(Date.now() + 2 * 3_600_000);
  await talpa.call('POST /api/user/password', anna.user.actor, {
    ...{ currentPassword: password, newPassword: password },
  });
  await anna.link('/not-me');
  await publish('proxy', resumed);
  await anna.prefer({ email: true });
  await anna.skipTime();
  await anna.states('sent');
  expect(anna.subjects()).toEqual(['Ihr Passwort wurde geändert', '2 neue Mitteilungen']);
});

it('emails about security go regardless, and say nothing of unsubscribing', async () => {
  const anna = await reader(false);
  await talpa.call('POST /api/user/password', anna.user.actor, {
    ...{ currentPassword: password, newPassword: password },
  });
  const { mail } = await anna.link('/not-me');
  expect(mail.headers.map(({ key }) => key).filter((key) => key.startsWith('list-'))).toEqual([]);
  expect(`${mail.text}${mail.html}`).not.toContain('unsubscribe');
  expect(await anna.logged()).toEqual([]);
});

it('the link of an email turns that switch off and nothing else, as often as it is used', async () => {
  const anna = await reader();
  const resumed = await anna.suspend();
  await anna.skipTime();
  await anna.states('sent');
  const token = secretOf(anna);
  const [mail] = anna.mails();
  expect(mail?.headers).toContainEqual(
    expect.objectContaining({ key: 'list-unsubscribe-post', value: 'List-Unsubscribe=One-Click' }),
  );
  expect(mail?.text).toContain(`/unsubscribe?token=${token}`);
  const before = await anna.preferencesOf();
  await unsubscribe(token);
  expect(await anna.preferencesOf()).toEqual({
    ...before,
    notifications: { ...before.notifications, email: false },
  });
  expect(await talpa.whoHas(anna.user.token)).not.toBeNull();
  await until('notifications knows it', async () => {
    const [row] =
      await talpa.sql`select wants_email from notifications.users where user_id = ${anna.user.id}`;
    return row?.wantsEmail === false;
  });
  const snapshots = published(anna.user.id).length;
  await unsubscribe(token);
  expect(published(anna.user.id)).toHaveLength(snapshots);
  expect(await audited('user.unsubscribe', anna.user.id)).toHaveLength(1);
  await publish('proxy', resumed);
  expect(await anna.logged()).toHaveLength(1);
});

it('the link of an email ends with its address, and one that nobody made counts for nothing', async () => {
  const anna = await reader();
  await anna.suspend();
  await anna.skipTime();
  await anna.states('sent');
  const token = secretOf(anna);
  await giveEmail(talpa.sql, anna.user.id, 'anna-now@example.com');
  for (const void_ of [token, 'erraten'])
    await expect(unsubscribe(void_)).rejects.toMatchObject({ code: 'unsubscribe_link_invalid' });
  expect((await anna.preferencesOf()).notifications.email).toBe(true);
});

it('an announcement that changes before its email and its message are sent is sent as it is then, or not at all', async () => {
  const anna = await reader();
  const { channel } = await talpa.call('POST /api/user/channels', anna.user.actor, {
    ...{ kind: 'webhook', name: 'Kanal', topics: ['announcements'], url: 'https://hooks.example.com/anna' },
  });
  const { channel: ofAll } = await talpa.call('POST /api/admin/channels', admin, {
    ...{ kind: 'discord', name: 'Alle', topics: ['announcements'] },
    url: 'https://discord.com/api/webhooks/1/abc',
  });
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const announce = (titleDe: string) =>
    talpa.call('POST /api/admin/announcements', admin, {
      ...{ level: 'info', titleDe, textDe: 'Text', titleEn: 'Title', textEn: 'Text' },
      ...{ startsAt: inMinutes(-1), endsAt: inMinutes(60) },
    });
  const [changed, ended] = [await announce('Alter Titel'), await announce('Zurückgezogen')];
  /** The titles that wait to be sent, by email and to the channel. */
  const waiting = () => talpa.sql<{ mailed: string[]; messages: string[] }[]>`
    select array(
        select one -> 'params' -> 'title' ->> 'de' from notifications.mails,
          jsonb_array_elements(params -> 'notifications') as one
        where user_id = ${anna.user.id} and kind = 'notifications' and state = 'queued' order by 1) as mailed,
      array(
        select one -> 'params' -> 'title' ->> 'de' from notifications.deliveries, jsonb_array_elements(notifications) as one
        where channel_id = ${channel.id} and state = 'queued' order by 1) as messages`;
  const both = ['Alter Titel', 'Zurückgezogen'];
  await until('both to wait', async () => {
    const [row] = await waiting();
    return JSON.stringify(row) === JSON.stringify({ mailed: both, messages: both });
  });
  const { id: _id, state: _state, createdAt: _createdAt, ...expected } = changed;
  const input = { ...expected, id: changed.id, titleDe: 'Neuer Titel', expected };
  await talpa.call('PUT /api/admin/announcements/:id', admin, input);
  await talpa.call('POST /api/admin/announcements/:id/end', admin, { id: ended.id });
  expect(await waiting()).toEqual([{ mailed: ['Neuer Titel'], messages: ['Neuer Titel'] }]);
  // The messages of the installation have another form.
  const [message] = await talpa.call('GET /api/admin/channels/:id/deliveries', admin, { id: ofAll.id });
  expect(message).toMatchObject({ state: 'queued' });
  await talpa.call('POST /api/admin/announcements/:id/end', admin, { id: changed.id });
  expect(await waiting()).toEqual([{ mailed: [], messages: [] }]);
  expect(await talpa.call('GET /api/admin/channels/:id/deliveries', admin, { id: ofAll.id })).toEqual([]);
  await anna.states();
  expect(anna.mails()).toEqual([]);
});
