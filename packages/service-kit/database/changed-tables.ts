import type { Sql } from './sql.ts';

interface Pool {
  begin: (...args: unknown[]) => Promise<unknown>;
}

/**
 * Repeats a transaction that Postgres has rolled back because a prepared statement returns what its table was before an upgrade
 * (“cached plan must not change result type”): outside of a transaction the driver prepares it anew, inside it cannot any more. So the
 * work of a transaction changes nothing but the database. Each time the driver forgets one statement of one connection.
 */
export function repeatAfterUpgrade(sql: Sql): void {
  const pool = sql as unknown as Pool;
  const { begin } = pool;
  pool.begin = async (...args) => {
    for (let left = mostRepetitions; ; left -= 1)
      try {
        return await begin(...args);
      } catch (error) {
        if (left === 0 || !hasChangedTable(error)) throw error;
      }
  };
}
const mostRepetitions = 100;

const hasChangedTable = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery';
