import { randomUUID } from 'node:crypto';
import type { Sql } from '@talpa/service-kit/database/connect';

/** A generation that has failed, and what will try it again. */
export interface Troubles {
  readonly generation: number;
  /** In a row. */
  readonly failures: number;
  readonly retry: { readonly message: number; readonly inMs: number } | null;
}

export interface LeaseRow {
  readonly holder: string;
  readonly generation: number | null;
  readonly failures: number;
  readonly retryMessage: number | null;
  /** The wake-up that is to try again has not come yet. */
  readonly putOff: boolean;
  /** An earlier run ended without a report that counted: there may be more than was reported. */
  readonly doubtful: boolean;
}

/** Takes a proxy's lease when it is free or has run out; null when somebody holds it. */
export async function takeLease(sql: Sql, proxyId: string, leaseMs: number): Promise<LeaseRow | null> {
  const [row] = await sql<LeaseRow[]>`
    insert into leases as lease (proxy_id, holder, expires_at)
    values (${proxyId}, ${randomUUID()}, now() + ${leaseMs} * interval '1 millisecond')
    on conflict (proxy_id) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where lease.holder is null or lease.expires_at < now()
    returning holder, generation, failures, retry_message,
      coalesce(retry_at > now(), false) as put_off, xmax <> 0 as doubtful`;
  return row ?? null;
}

/** @returns false when the lease is no longer ours. */
export async function renewLease(
  sql: Sql,
  proxyId: string,
  holder: string,
  leaseMs: number,
): Promise<boolean> {
  const { count } = await sql`
    update leases set expires_at = now() + ${leaseMs} * interval '1 millisecond'
    where proxy_id = ${proxyId} and holder = ${holder}`;
  return count === 1;
}

/** Gives a lease back after a clean end: nothing is left to know. */
export async function endLease(sql: Sql, proxyId: string, holder: string): Promise<void> {
  await sql`delete from leases where proxy_id = ${proxyId} and holder = ${holder}`;
}

/** Gives a lease back, with what is new to know. */
export async function leaveLease(
  sql: Sql,
  proxyId: string,
  holder: string,
  troubles?: Troubles,
): Promise<void> {
  const news = troubles
    ? sql`generation = ${troubles.generation}, failures = ${troubles.failures},
        retry_message = ${troubles.retry?.message ?? null},
        retry_at = now() + ${troubles.retry?.inMs ?? null}::integer * interval '1 millisecond',`
    : sql``;
  await sql`
    update leases set ${news} holder = null, expires_at = null
    where proxy_id = ${proxyId} and holder = ${holder}`;
}
