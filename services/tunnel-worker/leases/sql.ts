import type { Sql } from '@talpa/service-kit/database/connect';

/** A generation that has failed, and when it is tried again; null: when somebody wakes it. */
export interface Troubles {
  readonly generation: number;
  /** In a row. */
  readonly failures: number;
  readonly retryInMs: number | null;
  /** Given up at the usual pace, and why; seen by operators. */
  readonly parked?: { readonly reason: string; readonly detail: string };
}

export interface LeaseRow {
  readonly proxyId: string;
  readonly holder: string;
  /** Somebody waits for it. */
  readonly urgent: boolean;
  readonly generation: number | null;
  readonly failures: number;
  /** Its generation is not to be tried again yet. */
  readonly putOff: boolean;
  /** An earlier run ended without a report that counted: there may be more than was reported. */
  readonly doubtful: boolean;
  /** To be compared with all that bears its name, even when all is settled. */
  readonly tidy: boolean;
  readonly isParked: boolean;
  /** On whose behalf it was last woken, and the step of his trace. */
  readonly requestId: string | null;
  readonly traceparent: string | null;
}

/** A proxy is to be looked at. */
export interface Wake {
  readonly proxyId: string;
  /** Somebody waits for it. */
  readonly urgent?: boolean;
  /** Something was seen at the provider that nobody wants, or lacks there. */
  readonly tidy?: boolean;
  /** On whose behalf, and the step of his trace. */
  readonly requestId?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** Notes that proxies are to be looked at; those that are worked on, once more afterwards. */
export async function wake(sql: Sql, wakes: readonly Wake[]): Promise<void> {
  // In one order, so that two processes never wait for each other.
  await sql`
    insert into leases as lease (proxy_id, due_at, urgent, tidy, doubtful, request_id, traceparent)
    select distinct on ("proxyId") "proxyId", now(), coalesce(bool_or(urgent) over same, false),
      coalesce(bool_or(tidy) over same, false), false, "requestId", traceparent
    from jsonb_to_recordset(${sql.json(wakes as never)}) as one (
      "proxyId" uuid, urgent boolean, tidy boolean, "requestId" text, traceparent text)
    window same as (partition by "proxyId") order by "proxyId"
    on conflict (proxy_id) do update set
      due_at = least(lease.due_at, excluded.due_at), urgent = lease.urgent or excluded.urgent,
      tidy = lease.tidy or excluded.tidy, request_id = coalesce(excluded.request_id, lease.request_id),
      traceparent = coalesce(excluded.traceparent, lease.traceparent)`;
}

/**
 * Takes the leases of proxies that are due, or whose holder is dead; those somebody waits for first.
 * @param count so many at most
 * @param urgentOnly leaves the others to later
 */
export function claimDue(sql: Sql, leaseMs: number, count: number, urgentOnly: boolean): Promise<LeaseRow[]> {
  return sql<LeaseRow[]>`
    with due as (
      select proxy_id, doubtful, urgent or holder is not null as urgent from leases
      where ((holder is null and due_at <= now()) or (holder is not null and expires_at < now()))
        ${urgentOnly ? sql`and (urgent or holder is not null)` : sql``}
      order by 3 desc, due_at limit ${count}
      for update skip locked)
    update leases as lease set
      holder = gen_random_uuid(), expires_at = now() + ${leaseMs} * interval '1 millisecond',
      due_at = null, urgent = false, doubtful = true
    from due where lease.proxy_id = due.proxy_id
    returning lease.proxy_id, lease.holder, due.urgent, lease.generation, lease.failures,
      coalesce(lease.retry_at > now(), false) as put_off, due.doubtful, lease.tidy,
      lease.parked_at is not null as is_parked, lease.request_id, lease.traceparent`;
}

/** @returns false when the lease is no longer ours. */
export async function renewLease(sql: Sql, { proxyId, holder }: LeaseRow, leaseMs: number): Promise<boolean> {
  const { count } = await sql`
    update leases set expires_at = now() + ${leaseMs} * interval '1 millisecond'
    where proxy_id = ${proxyId} and holder = ${holder}`;
  return count === 1;
}

/** Gives a lease back after a clean end: nothing is left to know but a wake-up that came meanwhile. */
export async function endLease(sql: Sql, { proxyId, holder }: LeaseRow): Promise<void> {
  const { count } = await sql`
    delete from leases where proxy_id = ${proxyId} and holder = ${holder} and due_at is null`;
  if (count === 1) return;
  await sql`
    update leases set holder = null, expires_at = null, doubtful = false, tidy = false, generation = null,
      failures = 0, retry_at = null, parked_at = null, parked_reason = null, parked_detail = null
    where proxy_id = ${proxyId} and holder = ${holder}`;
}

/** Gives a lease back, with what is new to know; the next run has to look. */
export async function leaveLease(
  sql: Sql,
  { proxyId, holder }: LeaseRow,
  { generation, failures, retryInMs, parked }: Troubles,
): Promise<void> {
  const retryAt = sql`now() + ${retryInMs}::integer * interval '1 millisecond'`;
  const news = parked
    ? sql`parked_at = coalesce(parked_at, now()), parked_reason = ${parked.reason}, parked_detail = ${parked.detail}`
    : sql`parked_at = null, parked_reason = null, parked_detail = null`;
  await sql`
    update leases set generation = ${generation}, failures = ${failures}, retry_at = ${retryAt}, ${news},
      due_at = least(due_at, ${retryAt}), holder = null, expires_at = null
    where proxy_id = ${proxyId} and holder = ${holder}`;
}

/**
 * Gives a lease back with nothing new to know.
 * @param doubtful what the next run is to think of it
 * @param againInMs when to look again; null: when it had been put off to, or when somebody wakes it.
 */
export async function putBackLease(
  sql: Sql,
  { proxyId, holder, urgent }: LeaseRow,
  doubtful: boolean,
  againInMs: number | null,
): Promise<void> {
  await sql`
    update leases set holder = null, expires_at = null, doubtful = ${doubtful},
      urgent = urgent or ${urgent && againInMs !== null},
      due_at = least(due_at, case when retry_at > now() then retry_at end,
        now() + ${againInMs}::integer * interval '1 millisecond')
    where proxy_id = ${proxyId} and holder = ${holder}`;
}
