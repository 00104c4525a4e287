import type { Outcome } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/connect';

export interface RunEntry {
  readonly proxyId: string;
  readonly generation: number;
  /** Requests to the provider. */
  readonly calls: number;
  readonly outcome: Outcome['kind'];
  readonly reason: string | null;
  /** What failed, in the provider's words. Never a secret. */
  readonly detail: string | null;
  readonly durationMs: number;
}

export async function insertRun(sql: Sql, run: RunEntry): Promise<void> {
  await sql`insert into runs ${sql({ ...run })}`;
}

/** Deletes runs older than the given days. */
export async function pruneRuns(sql: Sql, days: number): Promise<void> {
  await sql`delete from runs where at < now() - ${days} * interval '1 day'`;
}
