import type { CommandOf, LoggedMail, Mail, MailContent, MailState } from '@talpa/contracts';
import { type AnySql, jsonOf, type Sql, type TransactionSql } from '@talpa/service-kit/database/sql';
import { totalMs } from '../smtp/smtp.ts';

/** How long an email belongs to one process: longer than an attempt may take. */
const leaseMs = 2 * totalMs;

export interface MailRow {
  id: number;
  userId: number;
  username: string | null;
  kind: Mail['kind'];
  createdAt: Date;
  state: MailState;
  stateAt: Date;
  dueAt: Date | null;
  attempts: number;
  uncertainAttempts: number;
  lastAnswer: string | null;
  /** It goes to somebody who is known to be no administrator, or is theirs. */
  isToUser: boolean;
}

/** An email that this process has for itself until its lease ends. */
export interface ClaimedMail {
  readonly id: number;
  readonly cause: string;
  readonly userId: number;
  readonly kind: Mail['kind'];
  readonly params: unknown;
  readonly holder: string;
  readonly failures: number;
  /** Its last holder died before it could store how the attempt ended. */
  readonly wasHandedOver: boolean;
}

export const mailColumns = (sql: AnySql) => sql`
  mails.id, mails.user_id, users.username, kind, created_at, state, state_at, due_at, attempts,
    uncertain_attempts, last_answer, coalesce(not users.is_admin, false) as is_to_user`;
export const mailsTable = (sql: AnySql) => sql`mails left join users on users.user_id = mails.user_id`;

export function publicMail(row: MailRow): LoggedMail {
  const { id, userId, username, kind, state, attempts, uncertainAttempts, lastAnswer } = row;
  return {
    id,
    userId,
    username,
    kind,
    state,
    attempts,
    uncertainAttempts,
    lastAnswer,
    createdAt: row.createdAt.toISOString(),
    stateAt: row.stateAt.toISOString(),
    nextAttemptAt: (state === 'queued' && row.dueAt?.toISOString()) || null,
  };
}

export async function findMail(
  sql: AnySql,
  id: number,
): Promise<(MailRow & { content: MailContent | null }) | undefined> {
  const [row] = await sql<(MailRow & { content: MailContent | null })[]>`
    select ${mailColumns(sql)}, content from ${mailsTable(sql)} where mails.id = ${id}`;
  return row;
}

/**
 * Stores an email, once however often it is ordered, and none to somebody who is gone. What was ordered before a restore
 * may have been sent before it.
 * @returns whether it is new
 */
export async function insertMail(
  sql: AnySql,
  { id, userId, mail, at }: CommandOf<'notifications.sendMail'>,
): Promise<boolean> {
  const { count } = await sql`
    insert into mails (cause, user_id, kind, params, state, due_at)
    select ${id}, ${userId}, ${mail.kind}, ${jsonOf(sql, mail.params)},
      case when held then 'held' else 'queued' end, case when not held then now() end
    from (select exists (select 1 from restored where restored.at > ${at}) as held) as known
    where not exists (select 1 from users where user_id = ${userId} and username is null)
    on conflict (cause) do nothing`;
  return count === 1;
}

/**
 * Takes emails that are due, or whose holder has died. No other process takes them for longer than any attempt may take.
 * @param count so many at most
 */
export function claimDue(sql: Sql, count: number): Promise<ClaimedMail[]> {
  return sql<ClaimedMail[]>`
    with due as (
      select id, handed_over from mails where due_at <= now() order by due_at limit ${count}
      for update skip locked)
    update mails set
      state = 'sending', state_at = now(), holder = gen_random_uuid(), handed_over = false,
      due_at = now() + ${leaseMs} * interval '1 millisecond',
      uncertain_attempts = uncertain_attempts + due.handed_over::integer
    from due where mails.id = due.id
    returning mails.id, cause, user_id, kind, params, holder, failures, due.handed_over as was_handed_over`;
}

/** Stores that the server gets it now. @returns false when it belongs to somebody else by now */
export async function storeHandOver(sql: Sql, { id, holder }: ClaimedMail): Promise<boolean> {
  const { count } = await sql`
    update mails set handed_over = true, attempts = attempts + 1,
      due_at = now() + ${leaseMs} * interval '1 millisecond'
    where id = ${id} and holder = ${holder} and due_at > now()`;
  return count === 1;
}

interface End {
  readonly state: Exclude<MailState, 'sending'>;
  readonly answer?: string;
  readonly content?: MailContent;
  /** The server may have taken it nevertheless. */
  readonly isUncertain?: boolean;
  /** It is another failure, after which it is tried again in so many ms. */
  readonly retryInMs?: number;
  readonly isFailure?: boolean;
}

/** Gives an email back with what has become of it; does nothing when it belongs to somebody else by now. */
export async function endAttempt(sql: Sql, { id, holder }: ClaimedMail, end: End): Promise<void> {
  const { state, answer, content, retryInMs, isUncertain = false, isFailure = false } = end;
  const dueAt =
    state === 'queued' ? sql`now() + ${retryInMs ?? 0}::integer * interval '1 millisecond'` : sql`null`;
  await sql`
    update mails set state = ${state}, state_at = now(), holder = null, handed_over = false, due_at = ${dueAt},
      last_answer = coalesce(${answer ?? null}, last_answer), content = ${content ? sql.json(content) : null},
      uncertain_attempts = uncertain_attempts + ${isUncertain}::boolean::integer,
      failures = failures + ${isFailure}::boolean::integer
    where id = ${id} and holder = ${holder}`;
}

/** Removes an email whose recipient is gone. */
export async function dropMail(sql: Sql, { id, holder }: ClaimedMail): Promise<void> {
  await sql`delete from mails where id = ${id} and holder = ${holder}`;
}

/** Has an email sent again. @returns false when there is nothing to send again */
export async function requeue(sql: TransactionSql, id: number, from: readonly MailState[]): Promise<boolean> {
  const { count } = await sql`
    update mails set state = 'queued', state_at = now(), due_at = now(), failures = 0, content = null
    where id = ${id} and state in ${sql(from)}`;
  return count === 1;
}
