import postgres from 'postgres';
import type { Lifecycle } from '../process/lifecycle.ts';
import { waitForStore } from '../process/wait-for-store.ts';
import { gauge, readOnScrape } from '../telemetry/metrics.ts';
import { isTracing } from '../telemetry/tracing.ts';
import { isDatabaseUnavailable } from './errors.ts';
import { refuseAfterLoss } from './lost-connection.ts';
import { listenForSilence, restOf, type Sockets } from './silence.ts';
import type { Sql } from './sql.ts';
import { retryOnStalePlan } from './stale-plan.ts';
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
/** What sessions of this version are called; those of the previous one begin otherwise. */
export const sessionName = 'talpa with servers';
/**
 * So long that the driver sends its first message to the server at once. It puts off short ones, and a connection that was
 * lost with one put off would wait with all later ones too: it would not come back for a minute (postgres.js 3.4.9).
 * Postgres shortens it.
 */
const longName = `${sessionName}${' '.repeat(1_024)}`;

/**
 * A pool of connections. Columns are snake_case in SQL and camelCase here; times are `Date`s.
 * @param url postgres://role:password@host/database, or with `?host=/folder` for a unix socket.
 * @param arrays whether the types of arrays are asked for at each connection. That query cannot be canceled: a caller that
 * ends a pool in the middle of it gets a rejection that nobody can catch.
 * @param sockets notices servers that are gone without a word; without it a statement may take as long as it likes.
 */
export function openDatabase(url: string, max: number, arrays = true, sockets?: Sockets): Sql {
  const parsed = new URL(url);
  const socketFolder = parsed.searchParams.get('host');
  parsed.searchParams.delete('host');
  const sql: Sql = postgres(parsed.href, {
    ...(socketFolder ? { host: socketFolder } : {}),
    max,
    types,
    fetch_types: arrays,
    // Columns alone: keys of JSON are in our spelling already, and keys in it may be somebody's data.
    transform: { column: postgres.camel.column, undefined: null },
    connect_timeout: 5,
    connection: { application_name: longName },
    // Parked connections come back quickly after a restart of the server.
    backoff: (retries) => Math.min(0.05 * 2 ** retries, 1),
    onnotice: () => {},
    ...(sockets ? { idle_timeout: restOf(max), socket: sockets.open } : {}),
  });
  refuseAfterLoss(sql);
  retryOnStalePlan(sql);
  return sql;
}

const connections = gauge(
  'talpa_database_connections',
  'Connections of this service’s role, all its processes together, by what they do',
  ['state'],
);
const poolSize = gauge('talpa_database_pool_size', 'Connections this process may open');
const responseTime = gauge(
  'talpa_database_response_seconds',
  'Duration of a trivial statement, including the wait for a connection',
);

function measurePool(sql: Sql, max: number): void {
  readOnScrape('database', [connections, poolSize, responseTime], async () => {
    poolSize.set(max);
    const startedAt = performance.now();
    const rows = await sql<{ state: string; count: number }[]>`
      select coalesce(state, 'other') as state, count(*) from pg_stat_activity
      where usename = current_user and datname = current_database() group by 1`;
    responseTime.set((performance.now() - startedAt) / 1_000);
    for (const { state, count } of rows) connections.set({ state }, count);
  });
}

interface DatabaseSettings {
  readonly DATABASE_URL: string;
  readonly DATABASE_CONNECTIONS: number;
}

function connectPool(url: string, max: number, lifecycle: Lifecycle): Sql {
  const sockets = listenForSilence();
  const sql = openDatabase(url, max, true, sockets);
  lifecycle.onStop('database', async () => {
    await sql.end({ timeout: 5 });
    sockets.stop();
  });
  return isTracing() ? traceStatements(sql) : sql;
}

function watchDatabase(sql: Sql, max: number, lifecycle: Lifecycle): void {
  measurePool(sql, max);
  lifecycle.dependsOn('postgres', async () => {
    // A message in the log of changes that nobody reads: a write, committed to disk, that leaves no row behind.
    const [row] = await sql<{ readOnly: string }[]>`
      select current_setting('transaction_read_only') as read_only,
        pg_logical_emit_message(true, 'talpa readiness', '')::text as written`;
    return row?.readOnly === 'on' ? 'it takes no writes (read-only)' : (true as const);
  });
}

/** Opens the process's pool and closes it when the process stops. */
export function connectDatabase(settings: DatabaseSettings, lifecycle: Lifecycle): Sql {
  const { DATABASE_URL: url, DATABASE_CONNECTIONS: max } = settings;
  const sql = connectPool(url, max, lifecycle);
  watchDatabase(sql, max, lifecycle);
  return sql;
}

/** What a service has of its database. */
export interface Database {
  readonly sql: Sql;
  /**
   * One connection for reads of few rows by an index. They follow each other without waiting for answers, which
   * costs a sixth less than a connection each, and never wait for the pool; see docs/decisions/0024.
   */
  readonly reads: Sql;
}

/** The same, with one of its connections kept for short reads. */
export function connectServiceDatabase(settings: DatabaseSettings, lifecycle: Lifecycle): Database {
  const { DATABASE_URL: url, DATABASE_CONNECTIONS: max } = settings;
  const sql = connectPool(url, max - 1, lifecycle);
  watchDatabase(sql, max, lifecycle);
  return { sql, reads: connectPool(url, 1, lifecycle) };
}

/** Ends when the database has answered for the first time; see `waitForStore`. */
export async function waitForDatabase(sql: Sql, { log }: Pick<Lifecycle, 'log'>): Promise<void> {
  await waitForStore('Postgres', () => sql`select 1`, isDatabaseUnavailable, log);
}
