import type postgres from 'postgres';

export type Sql = postgres.Sql<{ bigint: number }>;

export type TransactionSql = postgres.TransactionSql<{ bigint: number }>;

/** Either: for statements that may run alone or inside a transaction. */
export type AnySql = Sql | TransactionSql;

/** A value as JSON in a statement. The library's own type takes only what any string may index, and so no interface of ours. */
export const jsonOf = (sql: AnySql, value: unknown) => sql.json(value as never);

/** Columns and their values, in an insert or an update. The library also takes expressions as values, but its types do not say so. */
export const columns = (sql: AnySql, values: Readonly<Record<string, unknown>>) => sql(values as never);
