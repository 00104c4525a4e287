import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import { type CommandOf, type LoggedMail, type MailState, mailLimits } from '@talpa/contracts';
import { openBus } from '@talpa/service-kit/bus/connect';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import type { TransactionSql } from '@talpa/service-kit/database/sql';
import { createLog } from '@talpa/service-kit/log';
import { giveEmail, giveLink } from '@talpa/test-kit/emails';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetOld } from '../retention.ts';
import { createSmtp } from '../smtp/smtp.ts';
import { createRender } from '../templates/render.ts';
import { deliver } from './deliver.ts';
import { claimDue, storeHandOver } from './sql.ts';

const stores = useStores();
const server = await startMailServer();
afterAll(() => server.stop());
const admin = actorOf(1, { isAdmin: true });
const password = 'geheim-genug';
const settings = { MAIL_FROM: 'talpa@example.org', PUBLIC_URL: 'https://panel.example.org' };

type Services = ReturnType<typeof useServices>;

/** Somebody with an address, and what concerns their emails. */
function usersOf(services: Services) {
  const newUser = async (address = `${randomUUID().slice(0, 8)}@example.com`) => {
    const username = `u-${randomUUID().slice(0, 12)}`;
    const { id } = await services.call('POST /api/register', null, { username, password });
    const actor = actorOf(id);
    if (address !== '') await giveEmail(services.sql, id, address);
    const order = async (changes: Partial<CommandOf<'notifications.sendMail'>> = {}) => {
      const sent: CommandOf<'notifications.sendMail'> = {
        ...{ id: randomUUID(), userId: id, at: new Date().toISOString(), mail: { kind: 'test', params: {} } },
        ...changes,
      };
      await giveLink(services.sql, { cause: sent.id, userId: id, kind: sent.mail.kind });
      await services.publishStored(commandSubject('notifications.sendMail'), sent);
    };
    const mails = () => services.call('GET /api/admin/mails', admin, { userId: id });
    return {
      ...{ id, username, address, actor, order, mails },
      /** Their one email, once it has this state. */
      mail: (state: MailState, matches: (mail: LoggedMail) => boolean = () => true) =>
        until(`an email that is ${state}`, async () => {
          const [mail] = await mails();
          return mail?.state === state && matches(mail) && mail;
        }),
      received: () => server.received.filter(({ recipient }) => recipient === address),
      /** Lets the time pass until the next attempt, or until the end of a lease. */
      skipTime: () =>
        services.sql`update notifications.mails set due_at = now() where user_id = ${id} and due_at is not null`,
    };
  };
  return newUser;
}

describe('with a mail server', () => {
  const services = useServices(stores, ['auth', 'notifications'], { ...settings, SMTP_URL: server.url });
  const newUser = usersOf(services);
  beforeEach(() => {
    server.onEnd(() => 'accept');
    server.onRecipient(() => null);
  });

  it('a changed password makes one email to its owner in the language they use, and nobody reads it in the log', async () => {
    const user = await newUser();
    await services.call('POST /api/user/password', user.actor, {
      currentPassword: password,
      newPassword: password,
    });
    const { id } = await user.mail('sent');
    expect(user.received()).toMatchObject([
      { subject: 'Ihr Passwort wurde geändert', from: { address: 'talpa@example.org' } },
    ]);
    expect(user.received()[0]?.text).toContain(`Guten Tag ${user.username},`);
    expect(user.received()[0]?.html).toMatch(/href="https:\/\/panel\.example\.org\/not-me#[\w-]{43}"/);
    const details = await services.call('GET /api/admin/mails/:id', admin, { id });
    expect(details).toMatchObject({
      ...{ kind: 'password_changed', username: user.username, attempts: 1, uncertainAttempts: 0 },
      ...{ content: null, lastAnswer: expect.stringContaining('250') },
    });
    await services.sql`update auth.users set language = 'en' where id = ${user.id}`;
    await user.order();
    await until('the second email', async () => user.received().length === 2);
    expect(user.received()[1]?.subject).toBe('Test email from Talpa');
  });

  it('what is ordered twice is one email', async () => {
    const user = await newUser();
    const id = randomUUID();
    await user.order({ id });
    await user.mail('sent');
    await user.order({ id });
    await user.order();
    await until(
      'both',
      async () => (await user.mails()).filter(({ state }) => state === 'sent').length === 2,
    );
    expect(user.received().map(({ messageId }) => messageId)).toHaveLength(2);
  });

  it('waits a minute after a temporary refusal, is given up after seven attempts, and can be sent again', async () => {
    const user = await newUser();
    server.onEnd(() => 451);
    await user.order();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const mail = await user.mail('queued', ({ attempts }) => attempts === attempt);
      waits.push(Math.round((Date.parse(mail.nextAttemptAt ?? '') - Date.parse(mail.stateAt)) / 60_000));
      await user.skipTime();
    }
    expect(waits).toEqual([1, 5, 30, 120, 360, 1_440]);
    const dead = await user.mail('dead_letter');
    expect(dead).toMatchObject({
      attempts: 7,
      nextAttemptAt: null,
      lastAnswer: expect.stringContaining('451'),
    });
    await services.call('POST /api/admin/mails/:id/sending', admin, { id: dead.id });
    // Its failures are forgotten: it has all attempts again.
    await user.mail('queued', ({ attempts }) => attempts === 8);
    server.onEnd(() => 'accept');
    await user.skipTime();
    expect(await user.mail('sent')).toMatchObject({ attempts: 9 });
    const again = services.call('POST /api/admin/mails/:id/sending', admin, { id: dead.id });
    await expect(again).rejects.toMatchObject({ code: 'mail_on_its_way' });
    expect(new Set(user.received().map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('is refused for good when the server says 550, and not tried again', async () => {
    const user = await newUser('gone@example.com');
    server.onRecipient((address) => (address === 'gone@example.com' ? 550 : null));
    await user.order();
    expect(await user.mail('refused')).toMatchObject({ attempts: 1, nextAttemptAt: null });
  });

  it('whose text cannot be made waits as if the server had failed, and is given up in the end', async () => {
    const user = await newUser();
    const cause = randomUUID();
    await giveLink(services.sql, { cause, userId: user.id, kind: 'password_changed' });
    await services.sql`insert into notifications.mails (cause, user_id, kind, params, state, due_at, failures)
      values (${cause}, ${user.id}, 'password_changed', '{}', 'queued', now(), 5)`;
    const lastAnswer = 'The text of this email could not be made.';
    await user.mail('queued', (mail) => mail.lastAnswer === lastAnswer);
    await user.skipTime();
    expect(await user.mail('dead_letter')).toMatchObject({ lastAnswer });
    expect(user.received()).toEqual([]);
  });

  it('counts an attempt whose answer was lost, and is then sent again with the same Message-ID', async () => {
    const user = await newUser();
    server.onEnd(({ to }) => (to?.[0]?.address === user.address ? 'drop' : 'accept'));
    await user.order();
    await user.mail('queued', ({ uncertainAttempts }) => uncertainAttempts === 1);
    server.onEnd(() => 'accept');
    await user.skipTime();
    expect(await user.mail('sent')).toMatchObject({ attempts: 2, uncertainAttempts: 1 });
    expect(new Set(user.received().map(({ messageId }) => messageId)).size).toBe(1);
  });

  it.each([
    ['before the server got it', false, 0],
    ['while the server got it', true, 1],
  ])('that a process had %s when it died is sent after its lease', async (_when, isHandedOver, uncertain) => {
    const user = await newUser();
    // Nobody looks for it yet.
    await services.sql`insert into notifications.mails (cause, user_id, kind, params, state, due_at)
      values (gen_random_uuid(), ${user.id}, 'test', '{}', 'queued', now() + interval '1 hour')`;
    const mine = await services.sql.begin(async (sql) => {
      await sql`set local search_path to notifications, public`;
      await sql`update mails set due_at = now() where user_id = ${user.id}`;
      const claim = async () => (await claimDue(sql as never, 5)).find(({ userId }) => userId === user.id);
      const own = await claim();
      if (own && isHandedOver) await storeHandOver(sql as never, own);
      // A second process dies sooner.
      await sql`update mails set due_at = now() where user_id = ${user.id}`;
      return claim();
    });
    expect(mine).toBeDefined();
    await user.skipTime();
    expect(await user.mail('sent')).toMatchObject({ uncertainAttempts: uncertain });
    expect(user.received()).toHaveLength(1);
  });

  it('goes nowhere without an address, nor to somebody who is gone, of whom nothing is kept', async () => {
    const user = await newUser('');
    await user.order();
    expect(await user.mail('no_address')).toMatchObject({ attempts: 0 });
    await services.call('POST /api/user/deletion', user.actor, { password });
    await until('it is gone', async () => (await user.mails()).length === 0);
    await user.order();
    const witness = await newUser();
    await witness.order();
    await witness.mail('sent');
    expect(await user.mails()).toEqual([]);
  });

  it('a test goes to the administrator’s own address, and needs one', async () => {
    const user = await newUser('');
    const boss = { ...user.actor, isAdmin: true };
    await expect(services.call('POST /api/admin/test-mail', boss, {})).rejects.toMatchObject({
      code: 'mail_address_missing',
    });
    await giveEmail(services.sql, user.id, 'boss@example.com');
    expect(await services.call('POST /api/admin/test-mail', boss, {})).toMatchObject({ kind: 'test' });
    await user.mail('sent');
    expect(await services.call('GET /api/admin/mail-setup', admin, {})).toEqual({
      isSetUp: true,
      from: 'talpa@example.org',
    });
    const now = await services.ask('notifications.testDelivery', { address: 'other@example.com' });
    expect(now).toMatchObject({ result: 'sent', answer: expect.stringContaining('250') });
  });

  it('of before a restore waits for an administrator', async () => {
    const user = await newUser();
    await services.sql`insert into notifications.restored (at) values (now())`;
    await user.order({ at: new Date(Date.now() - 60_000).toISOString() });
    const { id } = await user.mail('held');
    await services.sql`delete from notifications.restored`;
    expect(user.received()).toEqual([]);
    await services.call('POST /api/admin/mails/:id/sending', admin, { id });
    await user.mail('sent');
  });

  it('is in the log for 90 days, and what it says is kept for 30', async () => {
    const user = await newUser();
    await services.sql`insert into notifications.mails (cause, user_id, kind, params, state, content, created_at)
      select gen_random_uuid(), ${user.id}, 'test', '{}', 'kept', '{}', now() - days * interval '1 day'
      from unnest(array[29, 31, 89, 91]) as days`;
    await services.sql.begin(async (sql) => {
      await sql`set local search_path to notifications, public`;
      while ((await forgetOld({ sql, invalidate: () => {} } as never)) > 0);
    });
    const rows = await services.sql`
      select content is not null as readable from notifications.mails where user_id = ${user.id} order by id`;
    expect(rows.map(({ readable }) => readable)).toEqual([true, false, false]);
  });

  it('is found in the log by name, state and kind, page by page', async () => {
    const user = await newUser();
    const params = { changedAt: new Date().toISOString() };
    for (let made = 0; made < 2; made += 1) await user.order();
    await user.order({ mail: { kind: 'password_changed', params } });
    await until('all', async () => (await user.mails()).filter(({ state }) => state === 'sent').length === 3);
    const list = (more: object) =>
      services.call('GET /api/admin/mails', admin, { q: user.username, ...more });
    await until('the name', async () => (await list({})).length === 3);
    const ids = (await list({})).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect((await list({ sort: 'createdAt' })).map(({ id }) => id)).toEqual(ids.toReversed());
    expect(await list({ state: 'sent', kind: 'test' })).toHaveLength(2);
    expect(await list({ state: 'sent', kind: 'password_changed' })).toHaveLength(1);
    expect(await list({ state: 'queued' })).toEqual([]);
    const input = { q: user.username.toUpperCase(), limit: 2 };
    const { next, total } = await services.effects('GET /api/admin/mails', admin, input);
    expect(total).toBe('3');
    expect(await list({ limit: 2, cursor: next })).toHaveLength(1);
  });

  it('is exported to its recipient, five hundred at once', async () => {
    const user = await newUser();
    await services.sql`insert into notifications.mails (cause, user_id, kind, params, state)
      select gen_random_uuid(), ${user.id}, 'test', '{}', 'refused' from generate_series(1, 501)`;
    const part = (after: number | null) =>
      services.ask('notifications.exportUser', { userId: user.id, after });
    const first = await part(null);
    expect(first.mails).toHaveLength(500);
    const { mails, next } = await part(first.next);
    expect(next).toBeNull();
    expect(mails).toEqual([
      {
        ...{ kind: 'test', state: 'refused' },
        ...{ createdAt: expect.stringMatching(/Z$/), stateAt: expect.stringMatching(/Z$/) },
      },
    ]);
    // As many as fit are the last ones.
    await services.sql`delete from notifications.mails where id in (
      select id from notifications.mails where user_id = ${user.id} limit 1)`;
    expect((await part(null)).next).toBeNull();
  });

  it('that was kept before there was a server is read by administrators, but for what concerns security', async () => {
    const user = await newUser();
    const content = { subject: 's', text: 't', html: 'h' };
    for (const [kind, shown] of [
      ['test', content],
      ['password_changed', null],
      ['reset_password', null],
    ] as const) {
      const [row] = await services.sql<{ id: number }[]>`
        insert into notifications.mails (cause, user_id, kind, params, state, content)
        values (gen_random_uuid(), ${user.id}, ${kind}, '{}', 'kept', ${services.sql.json(content)}) returning id`;
      const details = await services.call('GET /api/admin/mails/:id', admin, { id: row?.id ?? 0 });
      expect(details).toMatchObject({ kind, content: shown, isGuarded: false });
    }
  });

  it('that nobody ordered is not found', async () => {
    for (const call of ['GET /api/admin/mails/:id', 'POST /api/admin/mails/:id/sending'] as const)
      await expect(services.call(call, admin, { id: 999_999 })).rejects.toMatchObject({ code: 'not_found' });
  });

  /** Has one email of a person for itself, tries to send it over this connection, and gives what becomes of it. */
  async function attempt(
    userId: number,
    nc: NatsConnection,
    before?: (sql: TransactionSql) => Promise<unknown>,
  ) {
    const smtp = createSmtp({ ...settings, SMTP_URL: server.url, MAIL_REPLY_TO: undefined });
    const row = await services.sql.begin(async (sql) => {
      await sql`set local search_path to notifications, public`;
      await sql`insert into mails (cause, user_id, kind, params, state, due_at)
        values (gen_random_uuid(), ${userId}, 'test', '{}', 'queued', now() - interval '1 day')`;
      const [mail] = await claimDue(sql as never, 1);
      if (!mail) throw new Error('nothing is due');
      await before?.(sql as never);
      const tools = { sql: sql as never, nc, smtp, render: createRender({ TIME_ZONE: 'UTC' } as never) };
      const transaction = ((work: (tx: object) => unknown) => work({ sql })) as never;
      await deliver({ ...tools, transaction, log: createLog('test', 'silent') }, mail);
      const [left] = await sql<{ state: MailState; attempts: number; waits: number }[]>`
        select state, attempts, extract(epoch from due_at - now())::integer as waits from mails where id = ${mail.id}`;
      await sql`delete from mails where id = ${mail.id}`;
      return left;
    });
    smtp?.close();
    return row;
  }

  it('waits ten seconds when nobody says where it goes, which is no attempt', async () => {
    const user = await newUser();
    const nc = await openBus(stores.stores.natsUrl('notifications'), 'notifications');
    await nc.close();
    expect(await attempt(user.id, nc)).toEqual({ state: 'queued', attempts: 0, waits: 10 });
  });

  it('is dropped when auth knows nobody of that id', async () => {
    const nc = await openBus(stores.stores.natsUrl('notifications'), 'notifications');
    expect(await attempt(987_654, nc)).toBeUndefined();
    await nc.close();
  });

  it('that another process has taken over meanwhile is left to it', async () => {
    const user = await newUser();
    const nc = await openBus(stores.stores.natsUrl('notifications'), 'notifications');
    const takeOver = (sql: TransactionSql) =>
      sql`update mails set holder = gen_random_uuid() where user_id = ${user.id}`;
    expect(await attempt(user.id, nc, takeOver)).toMatchObject({ state: 'sending', attempts: 0 });
    expect(user.received()).toEqual([]);
    await nc.close();
  });
});

describe('with two processes', () => {
  const services = useServices(stores, ['auth', 'notifications', 'notifications'], {
    ...settings,
    SMTP_URL: server.url,
  });
  const newUser = usersOf(services);

  it('no email is sent twice', async () => {
    const user = await newUser();
    const { count } = mailLimits.test;
    for (let made = 0; made < count; made += 1) await user.order();
    await until('all', async () => user.received().length >= count);
    expect(new Set(user.received().map(({ messageId }) => messageId)).size).toBe(count);
    expect(user.received()).toHaveLength(count);
  });
});

describe('without a mail server', () => {
  const services = useServices(stores, ['auth', 'notifications'], settings);
  const newUser = usersOf(services);

  it('an email is kept, and nothing is pretended', async () => {
    const user = await newUser();
    // Not by auth's outbox: its rows begin anew in this database, and NATS would take them for repetitions.
    await user.order();
    const { id } = await user.mail('kept');
    const details = await services.call('GET /api/admin/mails/:id', admin, { id });
    expect(details).toMatchObject({ content: { subject: 'Test-E-Mail von Talpa' }, isGuarded: false });
    expect(details.content?.text).toContain(user.username);
    expect(await services.call('GET /api/admin/mail-setup', admin, {})).toEqual({
      isSetUp: false,
      from: null,
    });
    expect(await services.ask('notifications.testDelivery', { address: 'a@example.com' })).toMatchObject({
      result: 'not_set_up',
    });
    expect(user.received()).toEqual([]);
  });
});
