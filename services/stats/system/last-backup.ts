import type { InternalCalls, Verb } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { StatsContext } from '../context.ts';

/** When the operator's command last made a backup. */
export const readLastBackup: Verb<InternalCalls['stats.readLastBackup'], StatsContext> = async ({ sql }) => ({
  madeAt: await lastBackup(sql),
});

/** @returns null when it made none */
export async function lastBackup(sql: Sql): Promise<string | null> {
  const [last] = await sql<{ madeAt: Date | null }[]>`select max(made_at) as made_at from backups`;
  return last?.madeAt?.toISOString() ?? null;
}
