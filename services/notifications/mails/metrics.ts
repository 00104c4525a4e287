import type { Sql } from '@talpa/service-kit/database/sql';
import { counter, gauge, readOnScrape } from '@talpa/service-kit/telemetry/metrics';

/** How attempts have ended; `dead_letter`: it was the last. */
export const attempted = counter('talpa_mail_attempts_total', 'Attempts to send emails, by their result', [
  'result',
]);
export const uncertain = counter(
  'talpa_mail_uncertain_attempts_total',
  'Attempts whose answer was lost: each may have delivered an email that is sent again',
);
const queued = gauge('talpa_mail_queue', 'Emails that wait to be sent, or are being sent');
const oldest = gauge('talpa_mail_queue_oldest_seconds', 'For how long the oldest of them has waited');
const deadLetters = gauge('talpa_mail_dead_letters', 'Emails that were given up after all attempts');

/** Counts what waits, and what waits for an administrator. */
export function measureMails(sql: Sql): void {
  for (const result of ['sent', 'refused', 'failed', 'dead_letter', 'kept']) attempted.labels(result).inc(0);
  uncertain.inc(0);
  readOnScrape('mails', [queued, oldest, deadLetters], async () => {
    const [waiting] = await sql<{ count: number; seconds: number }[]>`
      select count(*), coalesce(greatest(0, extract(epoch from now() - min(created_at))), 0)::float8 as seconds
      from mails where due_at is not null
        -- What is gathered, or held back in somebody's quiet hours, waits for no server.
        and not (kind = 'notifications' and attempts = 0 and due_at > now())`;
    const [dead] = await sql<{ count: number }[]>`
      select count(*) from mails where state = 'dead_letter'`;
    queued.set(waiting?.count ?? 0);
    oldest.set(waiting?.seconds ?? 0);
    deadLetters.set(dead?.count ?? 0);
  });
}
