import postgres from 'postgres';
import type { Lifecycle } from '../process/lifecycle.ts';

/** int8 arrives as number: ids and counters of ours stay below 2^53. */
const types = {
  bigint: {
    to: 20,
    from: [20],
    serialize: (value: number) => String(value),
    parse: (text: string) => Number(text),
  },
};
export type Sql = postgres.Sql<{ bigint: number }>;
export type TransactionSql = postgres.TransactionSql<{ bigint: number }>;
/** Either: for statements that may run alone or inside a transaction. */
export type AnySql = Sql | TransactionSql;

/**
 * A pool of connections. Columns are snake_case in SQL and camelCase here; times are `Date`s.
 * @param url postgres://role:password@host/database, or with `?host=/folder` for a unix socket.
 */
export function openDatabase(url: string, max: number): Sql {
  const parsed = new URL(url);
  const socketFolder = parsed.searchParams.get('host');
  parsed.searchParams.delete('host');
  return postgres(parsed.href, {
    ...(socketFolder ? { host: socketFolder } : {}),
    max,
    types,
    transform: { ...postgres.camel, undefined: null },
    connect_timeout: 5,
    // Parked connections come back quickly after a restart of the server.
    backoff: (retries) => Math.min(0.05 * 2 ** retries, 1),
    onnotice: () => {},
  });
}

/** Opens the process's pool and closes it when the process stops. */
export function connectDatabase(
  settings: { DATABASE_URL: string; DATABASE_CONNECTIONS: number },
  lifecycle: Lifecycle,
): Sql {
  const sql = openDatabase(settings.DATABASE_URL, settings.DATABASE_CONNECTIONS);
  lifecycle.dependsOn('postgres', async () => {
    await sql`select 1`;
    return true as const;
  });
  lifecycle.onStop('database', () => sql.end({ timeout: 5 }));
  return sql;
}
