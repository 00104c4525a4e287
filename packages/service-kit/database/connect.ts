import postgres from 'postgres';
import type { Lifecycle } from '../process/lifecycle.ts';
import { gauge, readOnScrape } from '../telemetry/metrics.ts';
import { isTracing } from '../telemetry/tracing.ts';
import { traceStatements } from './trace.ts';

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
    // Columns alone: what lies in JSON is ours already, and keys in it may be somebody's data.
    transform: { column: postgres.camel.column, undefined: null },
    connect_timeout: 5,
    // Parked connections come back quickly after a restart of the server.
    backoff: (retries) => Math.min(0.05 * 2 ** retries, 1),
    onnotice: () => {},
  });
}

const connections = gauge(
  'talpa_database_connections',
  'Connections of this service’s role, all its processes together, by what they do',
  ['state'],
);
const poolSize = gauge('talpa_database_pool_size', 'Connections this process may open');
const answerTime = gauge(
  'talpa_database_answer_seconds',
  'How long a trifle takes, the wait for a free connection included',
);

function measurePool(sql: Sql, max: number): void {
  readOnScrape('database', [connections, poolSize, answerTime], async () => {
    poolSize.set(max);
    const startedAt = performance.now();
    const rows = await sql<{ state: string; count: number }[]>`
      select coalesce(state, 'other') as state, count(*) from pg_stat_activity
      where usename = current_user and datname = current_database() group by 1`;
    answerTime.set((performance.now() - startedAt) / 1_000);
    for (const { state, count } of rows) connections.set({ state }, count);
  });
}

/** Opens the process's pool and closes it when the process stops. */
export function connectDatabase(
  settings: { DATABASE_URL: string; DATABASE_CONNECTIONS: number },
  lifecycle: Lifecycle,
): Sql {
  const opened = openDatabase(settings.DATABASE_URL, settings.DATABASE_CONNECTIONS);
  const sql = isTracing() ? traceStatements(opened) : opened;
  measurePool(sql, settings.DATABASE_CONNECTIONS);
  lifecycle.dependsOn('postgres', async () => {
    await sql`select 1`;
    return true as const;
  });
  lifecycle.onStop('database', () => sql.end({ timeout: 5 }));
  return sql;
}
