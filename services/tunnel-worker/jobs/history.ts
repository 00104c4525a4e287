import type { Outcome } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';

export interface JobRun {
  readonly serverId: string;
  readonly generation: number;
  /** Requests to the provider. */
  readonly calls: number;
  readonly outcome: Outcome['kind'];
  readonly reason: string | null;
  /** What failed, in the provider's words. Never a secret. */
  readonly detail: string | null;
  readonly durationMs: number;
}

/** As in `jobs`, the column `proxy_id` holds the server's uuid. */
export async function insertJobRun(sql: Sql, { serverId, ...run }: JobRun): Promise<void> {
  await sql`insert into job_runs ${sql({ proxyId: serverId, ...run })}`;
}

/** Deletes runs older than the given days. */
export async function pruneJobRuns(sql: Sql, days: number): Promise<void> {
  await sql`delete from job_runs where at < now() - ${days} * interval '1 day'`;
}
