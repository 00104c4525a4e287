import { randomUUID } from 'node:crypto';
import type { ResyncReport } from '@talpa/contracts';
import { jsonOf, type Sql } from '@talpa/service-kit/database/sql';

export interface Pass {
  readonly holder: string;
  /** Leftovers are looked for too, not health alone. */
  readonly whole: boolean;
}

/** Takes the pass that is due, if no other worker makes one. */
export async function claimPass(
  sql: Sql,
  due: { readonly healthMs: number; readonly wholeMs: number },
  passMs: number,
): Promise<Pass | null> {
  const [row] = await sql<Pass[]>`
    update resync set
      holder = ${randomUUID()}, expires_at = now() + ${passMs} * interval '1 millisecond', health_at = now(),
      resynced_at = case when resynced_at <= now() - ${due.wholeMs} * interval '1 millisecond'
        then now() else resynced_at end
    where (holder is null or expires_at < now()) and (
      health_at <= now() - ${due.healthMs} * interval '1 millisecond'
      or resynced_at <= now() - ${due.wholeMs} * interval '1 millisecond')
    returning holder, resynced_at = now() as whole`;
  return row ?? null;
}

/** Gives a pass back, with its report if it was a whole one. */
export async function endPass(sql: Sql, { holder }: Pass, report: ResyncReport | null): Promise<void> {
  await sql`
    update resync set holder = null, expires_at = null,
      report = coalesce(${report && jsonOf(sql, report)}, report)
    where holder = ${holder}`;
}

export async function lastReport(sql: Sql): Promise<ResyncReport | null> {
  const [row] = await sql<{ report: ResyncReport | null }[]>`select report from resync`;
  return row?.report ?? null;
}

/** The tunnels that the pass before has missed. */
export async function missedBefore(sql: Sql): Promise<Set<string>> {
  const [row] = await sql<{ missed: string[] }[]>`select missed from resync`;
  return new Set(row?.missed);
}

/** Stores which tunnels a pass has missed, or that they are too many to be believed. */
export async function storeMissed(sql: Sql, tunnelIds: readonly string[], tooMany: boolean): Promise<void> {
  await sql`
    update resync set missed = ${sql.array([...tunnelIds], 25)},
      many_missing_at = case when ${tooMany} then coalesce(many_missing_at, now()) end`;
}
