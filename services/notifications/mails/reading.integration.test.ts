import { randomUUID } from 'node:crypto';
import { type Actor, linkOf, type MailKind, mailKindNames } from '@talpa/contracts';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { giveEmail, giveLink } from '@talpa/test-kit/emails';
import { mailSamples } from '@talpa/test-kit/mails';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

// There is no SMTP_URL.
const services = useServices(useStores(), ['auth', 'notifications'], {
  PUBLIC_URL: 'https://panel.example.org',
});
const admin = actorOf(1, { isAdmin: true });
const reading = (id: number, actor: Actor = admin) =>
  services.call('POST /api/admin/mails/:id/reading', actor, { id });

/** Whom the snapshots of auth say to administrate; a later one than any that comes. */
const isKnown = (userId: number, isAdmin: boolean) => services.sql`
  insert into notifications.users (user_id, username, version, is_admin, wants_system, wants_maintenance, wants_email)
  values (${userId}, 'jemand', 1000000, ${isAdmin}, false, false, false)
  on conflict (user_id) do update set is_admin = excluded.is_admin, version = excluded.version`;

/** An email of a kind to somebody, once it is kept. */
async function kept(kind: MailKind, isAdmin = false) {
  const username = `u-${randomUUID().slice(0, 12)}`;
  const { id: userId } = await services.call('POST /api/register', null, {
    username,
    password: 'geheim-genug',
  });
  await isKnown(userId, isAdmin);
  await giveEmail(services.sql, userId, `${username}@example.com`);
  const cause = randomUUID();
  await giveLink(services.sql, { cause, userId, kind });
  await services.publishStored(commandSubject('notifications.sendMail'), {
    ...{ id: cause, userId, at: new Date().toISOString(), mail: mailSamples[kind] },
  });
  const id = await until('the email is kept', async () => {
    const [mail] = await services.call('GET /api/admin/mails', admin, { userId });
    return mail?.state === 'kept' && mail.id;
  });
  return { userId, id, details: await services.call('GET /api/admin/mails/:id', admin, { id }) };
}

// An invitation to a proxy is kept by services/proxies; a code for the wall never is.
const kinds = mailKindNames.filter((kind) => linkOf(kind) && linkOf(kind) !== 'join');

it.each(kinds)('the link of an email “%s” is read for no administrator’s account', async (kind) => {
  const { id, details } = await kept(kind, true);
  expect(details).toMatchObject({ content: null, isGuarded: false });
  await expect(reading(id)).rejects.toMatchObject({ code: 'mail_not_kept' });
});

it.each(kinds)(
  'the link of an email “%s” is read after a step-up alone, if it is to be handed over',
  async (kind) => {
    const { userId, id, details } = await kept(kind);
    const isHandedOver = linkOf(kind) !== 'not_me';
    expect(details).toMatchObject({ content: null, isGuarded: isHandedOver });
    const hourAgo = Date.now() - 3_600_000;
    await expect(reading(id, { ...admin, provedAt: hourAgo })).rejects.toMatchObject({
      code: 'step_up_required',
    });
    if (!isHandedOver) {
      await expect(reading(id)).rejects.toMatchObject({ code: 'mail_not_kept' });
      const [row] = await services.sql`select content from notifications.mails where id = ${id}`;
      expect(row).toEqual({ content: null });
      return;
    }
    expect((await reading(id)).text).toMatch(/#[\w-]{43}/);
    expect(await services.audited('notifications', userId, 'mail.handOver')).toMatchObject([
      { actor: { userId: admin.userId }, target: { kind: 'mail', id: String(id) } },
    ]);
    // Who has become an administrator, and whom notifications does not know.
    await isKnown(userId, true);
    await expect(reading(id)).rejects.toMatchObject({ code: 'mail_not_kept' });
    await services.sql`delete from notifications.users where user_id = ${userId}`;
    await expect(reading(id)).rejects.toMatchObject({ code: 'mail_not_kept' });
  },
);
