import type postgres from 'postgres';

export type Sql = postgres.Sql<{ bigint: number }>;

export type TransactionSql = postgres.TransactionSql<{ bigint: number }>;

/** Either: for statements that may run alone or inside a transaction. */
export type AnySql = Sql | TransactionSql;
