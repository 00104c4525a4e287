import { openDatabase } from '@talpa/service-kit/database/connect';
import type { MailServer } from '@talpa/test-kit/mail-server';
import type { Random } from '@talpa/test-kit/requests/random';
import { until } from '@talpa/test-kit/wait';
import type { Talpa } from '../../launcher/system.ts';
import { pidOf } from './disturb.ts';
import { accuse, type Journal } from './outcome.ts';
import { addressOf, type TestUser } from './test-user.ts';

const patienceMs = 150_000;

/** Lets a mail server refuse for now, hang up after it has the email, or say nothing. */
export function disturbMails(server: MailServer, random: Random): void {
  server.onEnd(() => {
    const dice = random.fraction();
    if (dice < 0.15) return 451;
    if (dice < 0.25) return 'drop';
    return dice < 0.27 ? 'hang' : 'accept';
  });
}

interface DueMail {
  readonly userId: number;
  readonly state: string;
  readonly uncertain: number;
}

/** Every email that is due arrives, and no more often than the log admits. The pauses between attempts are skipped. */
export async function judgeMails(
  talpa: Talpa,
  server: MailServer,
  users: readonly TestUser[],
  journal: Journal,
): Promise<void> {
  server.onEnd(() => 'accept');
  const before = pidOf(talpa, 'notifications');
  // Nobody is in the middle of an attempt then.
  process.kill(before, 'SIGKILL');
  const sql = openDatabase(talpa.stores.adminUrl, 1);
  try {
    await sql`update notifications.mails set due_at = now() where due_at is not null`;
    await until(
      'all emails are sent',
      async () => {
        await sql`update notifications.mails set due_at = now() where state = 'queued'`;
        const [row] = await sql<{ left: number }[]>`
          select count(*) as left from notifications.mails where state in ('queued', 'sending')`;
        return row?.left === 0;
      },
      patienceMs,
    );
    const rows = await sql<DueMail[]>`
      select user_id, state, uncertain_attempts as uncertain from notifications.mails where kind = 'verify_email'`;
    for (const { name, userId } of users) {
      const own = rows.filter((row) => row.userId === userId);
      const [mail] = own;
      const received = server.received.filter(({ recipient }) => recipient === addressOf(name));
      const taken = received.filter(({ answer }) => typeof answer !== 'number').length;
      if (own.length !== 1 || mail?.state !== 'sent')
        accuse(journal, `${name}: one email is due, there are ${JSON.stringify(own)}`);
      else if (taken < 1 || taken > 1 + mail.uncertain)
        accuse(
          journal,
          `${name}: the email arrived ${taken} times, and ${mail.uncertain} attempts are uncertain`,
        );
      if (new Set(received.map(({ messageId }) => messageId)).size > 1)
        accuse(journal, `${name}: the repetitions of an email have several Message-IDs`);
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}
