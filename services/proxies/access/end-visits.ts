import type { CommandOf } from '@talpa/contracts';
import { commandSource } from '@talpa/service-kit/bus/subjects';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { readCommand } from '@talpa/service-kit/events/commands';
import { startConsumer } from '@talpa/service-kit/events/consume';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';

const name = 'proxies.endVisits';
const cleanMs = 10 * 60_000;

/** Ends the visits for which users signed in with a session that has ended; with all of their sessions their enrolment keys go. */
export function endVisits(base: ServiceBase, lifecycle: Lifecycle): void {
  startConsumer(
    base.nc,
    {
      ...commandSource(name),
      concurrency: 4,
      handle: async (message) => {
        const command = readCommand(message, name, lifecycle.log);
        if (command) await endVisitsOf(base.sql, command);
      },
    },
    lifecycle,
  );
  lifecycle.every(cleanMs, () => deleteEndedVisits(base.sql), {
    failed: 'ended visits could not be deleted, retrying',
    delayed: true,
  });
}

/** What began clearly after all sessions had ended goes on: the command may come late, and twice. */
export async function endVisitsOf(
  sql: AnySql,
  { userId, sessionId, except, at }: CommandOf<typeof name>,
): Promise<void> {
  const concerned = sql`
    user_id = ${userId} and auth_session is distinct from ${except}::uuid
    and (${sessionId}::uuid is null or auth_session = ${sessionId}::uuid)`;
  const begunBefore = sql`created_at <= ${at}::timestamptz + interval '5 seconds'`;
  // Whoever had one of the sessions may have made them.
  if (sessionId === null) await sql`delete from enrolment_keys where user_id = ${userId} and ${begunBefore}`;
  // Codes first: that waits for one that is just redeemed, whose visit then ends too.
  await sql`delete from access_codes where ${concerned}`;
  await sql`
    delete from visits
    where ${concerned} and (${sessionId}::uuid is not null or ${begunBefore})`;
}

/** Deletes visits, codes and counted tries whose time is over. Those of all visitors of a proxy together count for an hour. */
export async function deleteEndedVisits(sql: AnySql): Promise<void> {
  await sql`delete from visits where expires_at < now()`;
  await sql`delete from access_codes where expires_at < now()`;
  await sql`delete from access_email_codes where counts_until < now()`;
  await sql`delete from access_code_mails where sent_at < now() - interval '1 hour'`;
  await sql`
    delete from access_tries
    where since < now() - case when visitor = '' then interval '1 hour' else interval '15 minutes' end`;
}
