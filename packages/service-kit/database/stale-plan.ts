import type { Sql } from './sql.ts';

interface Pool {
  begin: (...args: unknown[]) => Promise<unknown>;
}

/**
 * Retries a transaction that fails because an upgrade has added a column to a table of a prepared statement (“cached plan must not change
 * result type”). Outside of a transaction the driver itself prepares the statement again; Postgres has rolled this one back. So the work of
 * a transaction changes nothing but the database. With each attempt the driver forgets one statement of one connection.
 */
export function retryOnStalePlan(sql: Sql): void {
  const pool = sql as unknown as Pool;
  const { begin } = pool;
  pool.begin = async (...args) => {
    for (let left = mostRetries; ; left -= 1)
      try {
        return await begin(...args);
      } catch (error) {
        if (left === 0 || !isStalePlan(error)) throw error;
      }
  };
}
const mostRetries = 100;

const isStalePlan = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery';
