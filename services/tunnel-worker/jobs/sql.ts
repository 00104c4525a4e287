import { jsonOf, type Sql } from '@talpa/service-kit/database/sql';

/** A generation that has failed, and when it is tried again; null: when somebody wakes it. */
export interface JobFailure {
  readonly generation: number;
  /** In a row. */
  readonly failures: number;
  readonly retryInMs: number | null;
  /** Given up at the usual pace, and why; seen by operators. */
  readonly deadLetter?: { readonly reason: string; readonly detail: string };
}

export interface JobRow {
  readonly serverId: string;
  readonly holder: string;
  /** Somebody waits for it. */
  readonly urgent: boolean;
  readonly generation: number | null;
  readonly failures: number;
  /** Its generation is not to be tried again yet. */
  readonly putOff: boolean;
  /** An earlier run ended without a report that counted: there may be more than was reported. */
  readonly unverified: boolean;
  /** To be compared with all that has its name, even when all is settled. */
  readonly fullScan: boolean;
  readonly isDeadLetter: boolean;
  /** On whose behalf it was last enqueued, and the step of their trace. */
  readonly requestId: string | null;
  readonly traceparent: string | null;
}

/** A server is to be looked at. */
export interface JobRequest {
  readonly serverId: string;
  /** Somebody waits for it. */
  readonly urgent?: boolean;
  /** Something was seen at the provider that nobody wants, or lacks there. */
  readonly fullScan?: boolean;
  /** On whose behalf, and the step of their trace. */
  readonly requestId?: string | undefined;
  readonly traceparent?: string | undefined;
}

/**
 * Stores that servers are to be looked at; those that are worked on, once more afterwards. The column `proxy_id` holds a server's
 * uuid: the previous version, whose servers have the uuid of their only proxy, works on the same table.
 */
export async function enqueue(sql: Sql, requests: readonly JobRequest[]): Promise<void> {
  // In one order, so that two processes never wait for each other.
  await sql`
    insert into jobs as job (proxy_id, due_at, urgent, full_scan, unverified, request_id, traceparent)
    select distinct on ("serverId") "serverId", now(), coalesce(bool_or(urgent) over same, false),
      coalesce(bool_or("fullScan") over same, false), false, "requestId", traceparent
    from jsonb_to_recordset(${jsonOf(sql, requests)}) as one (
      "serverId" uuid, urgent boolean, "fullScan" boolean, "requestId" text, traceparent text)
    window same as (partition by "serverId") order by "serverId"
    on conflict (proxy_id) do update set
      due_at = least(job.due_at, excluded.due_at), urgent = job.urgent or excluded.urgent,
      full_scan = job.full_scan or excluded.full_scan, request_id = coalesce(excluded.request_id, job.request_id),
      traceparent = coalesce(excluded.traceparent, job.traceparent)`;
}

/**
 * Takes the jobs of servers that are due, or whose holder is dead; those somebody waits for first.
 * @param count so many at most
 * @param urgentOnly leaves the others to later
 */
export function claimDueRows(
  sql: Sql,
  leaseMs: number,
  count: number,
  urgentOnly: boolean,
): Promise<JobRow[]> {
  return sql<JobRow[]>`
    with due as (
      select proxy_id, unverified, urgent or holder is not null as urgent from jobs
      where ((holder is null and due_at <= now()) or (holder is not null and expires_at < now()))
        ${urgentOnly ? sql`and (urgent or holder is not null)` : sql``}
      order by 3 desc, due_at limit ${count}
      for update skip locked)
    update jobs as job set
      holder = gen_random_uuid(), expires_at = now() + ${leaseMs} * interval '1 millisecond',
      due_at = null, urgent = false, unverified = true
    from due where job.proxy_id = due.proxy_id
    returning job.proxy_id as server_id, job.holder, due.urgent, job.generation, job.failures,
      coalesce(job.retry_at > now(), false) as put_off, due.unverified, job.full_scan,
      job.dead_letter_at is not null as is_dead_letter, job.request_id, job.traceparent`;
}

/** @returns false when the lease is no longer ours. */
export async function renewJob(sql: Sql, { serverId, holder }: JobRow, leaseMs: number): Promise<boolean> {
  const { count } = await sql`
    update jobs set expires_at = now() + ${leaseMs} * interval '1 millisecond'
    where proxy_id = ${serverId} and holder = ${holder}`;
  return count === 1;
}

/** Gives a lease back after a clean end: only an enqueue command that came meanwhile is kept. */
export async function completeJob(sql: Sql, { serverId, holder }: JobRow): Promise<void> {
  const { count } = await sql`
    delete from jobs where proxy_id = ${serverId} and holder = ${holder} and due_at is null`;
  if (count === 1) return;
  await sql`
    update jobs set holder = null, expires_at = null, unverified = false, full_scan = false, generation = null,
      failures = 0, retry_at = null, dead_letter_at = null, dead_letter_reason = null, dead_letter_detail = null
    where proxy_id = ${serverId} and holder = ${holder}`;
}

/** Gives a lease back, with what is new to know; the next run has to look. */
export async function failJob(
  sql: Sql,
  { serverId, holder }: JobRow,
  { generation, failures, retryInMs, deadLetter }: JobFailure,
): Promise<void> {
  const retryAt = sql`now() + ${retryInMs}::integer * interval '1 millisecond'`;
  const alarm = deadLetter
    ? sql`dead_letter_at = coalesce(dead_letter_at, now()), dead_letter_reason = ${deadLetter.reason}, dead_letter_detail = ${deadLetter.detail}`
    : sql`dead_letter_at = null, dead_letter_reason = null, dead_letter_detail = null`;
  await sql`
    update jobs set generation = ${generation}, failures = ${failures}, retry_at = ${retryAt}, ${alarm},
      due_at = least(due_at, ${retryAt}), holder = null, expires_at = null
    where proxy_id = ${serverId} and holder = ${holder}`;
}

/**
 * Gives a lease back with nothing new to know.
 * @param unverified whether the next run has to look at what is there
 * @param againInMs when to look again; null: when it had been put off to, or when somebody wakes it.
 */
export async function returnJob(
  sql: Sql,
  { serverId, holder, urgent }: JobRow,
  unverified: boolean,
  againInMs: number | null,
): Promise<void> {
  await sql`
    update jobs set holder = null, expires_at = null, unverified = ${unverified},
      urgent = urgent or ${urgent && againInMs !== null},
      due_at = least(due_at, case when retry_at > now() then retry_at end,
        now() + ${againInMs}::integer * interval '1 millisecond')
    where proxy_id = ${serverId} and holder = ${holder}`;
}
