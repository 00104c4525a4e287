import { createHash } from 'node:crypto';
import type { ApiKey, Scope } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';

export interface ApiKeyRow {
  readonly id: number;
  readonly name: string;
  readonly scopes: Scope[];
  readonly proxyIds: number[] | null;
  readonly networks: string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
}

export const apiKeyColumns = (sql: AnySql) => sql`
  id, name, scopes, proxy_ids, networks, created_at, expires_at, last_used_at, last_used_address`;

/** A key as its owner sees it: without its secret. */
export const publicApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  proxyIds: row.proxyIds,
  networks: row.networks,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  lastUsedAddress: row.lastUsedAddress,
});

/** 32 random bytes: they are not guessed, so a plain hash protects them. */
export const hashOfSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** A user's keys, the oldest first; expired ones too. */
export async function apiKeysOf(sql: AnySql, userId: number): Promise<ApiKey[]> {
  const rows = await sql<ApiKeyRow[]>`
    select ${apiKeyColumns(sql)} from api_keys where user_id = ${userId} order by id`;
  return rows.map(publicApiKey);
}

/** The names of a user's keys that have not expired, the oldest first. */
export async function usableApiKeyNames({ sql }: Tx, userId: number): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from api_keys
    where user_id = ${userId} and (expires_at is null or expires_at > now()) order by id`;
  return rows.map(({ name }) => name);
}

/** Revokes the keys that these emails announced. @param mailIds the emails' causes */
export async function revokeApiKeyAnnouncedBy(
  tx: Tx,
  userId: number,
  mailIds: readonly string[],
): Promise<boolean> {
  const { count } = await tx.sql`
    delete from api_keys where user_id = ${userId} and announced_by in ${tx.sql(mailIds)}`;
  tx.invalidate(userId);
  return count > 0;
}
