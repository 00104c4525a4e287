import { randomUUID } from 'node:crypto';
import { isBrief, mailKindNames } from '@talpa/contracts';
import { openBus } from '@talpa/service-kit/bus/connect';
import { publishStored } from '@talpa/service-kit/bus/publish';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Talpa } from '../../../launcher/system.ts';
import type { Client } from '../client.ts';
import { giveEmail, giveLink } from '../emails.ts';
import { mailSamples } from '../mails.ts';
import { until } from '../wait.ts';

/** Who is written to in which language. */
export const mailReaders = { de: 'starter', en: 'full' } as const;

/** The kinds that are kept where no emails are sent. */
export const keptKinds = mailKindNames.filter((kind) => !isBrief(kind));

/** Has every kind of email kept for a reader of each language. */
export async function settleMails(
  talpa: Talpa,
  admin: Client,
  readers: Readonly<Record<keyof typeof mailReaders, Client>>,
): Promise<void> {
  const sql = openDatabase(talpa.stores.adminUrl, 1);
  const nc = await openBus(talpa.stores.natsUrl('operator'), 'operator');
  for (const [language, reader] of Object.entries(readers)) {
    const { id: userId, username } = await reader.call('GET /api/user', {});
    reader.language = language;
    // Saved to store their language, too.
    await reader.call('POST /api/user/preferences', { notifications: { email: true } });
    await until('notifications knows that they want emails', async () => {
      const [user] = await sql`select wants_email from notifications.users where user_id = ${userId}`;
      return user?.wantsEmail === true;
    });
    await giveEmail(sql, userId, `${username}@example.com`);
    for (const kind of keptKinds) {
      const cause = randomUUID();
      await giveLink(sql, { cause, userId, kind });
      await publishStored(nc, commandSubject('notifications.sendMail'), {
        ...{ id: cause, userId, at: new Date().toISOString() },
        mail: kind === 'proxy_invitation_link' ? await invitation(sql, language) : mailSamples[kind],
      });
    }
    await until('the emails are kept', async () => {
      const mails = await admin.call('GET /api/admin/mails', { userId, state: 'kept' });
      return mails.length === keptKinds.length;
    });
    await reader.call('POST /api/user/preferences', {});
    reader.language = 'de';
  }
  await nc.close();
  await sql.end();
}

/** The email of an invitation that is open. */
async function invitation(sql: AnySql, language: string) {
  const sample = mailSamples.proxy_invitation_link;
  const [row] = await sql`
    insert into proxies.members (proxy_id, role, email, invited_until)
    select min(id), 'view', 'jan.petersen@example.com', now() + interval '7 days' from proxies.proxies
    returning id`;
  return { ...sample, params: { ...sample.params, memberId: row?.id, language } };
}
