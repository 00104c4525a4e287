import type { AnySql } from '@talpa/service-kit/database/sql';

/**
 * By what edges have counted a proxy, as a subquery: by its id, and those of the version before by the tunnels that were its own first.
 */
export const countedAs = (sql: AnySql, proxyId: string) =>
  sql`(select ${proxyId}::text union all select tunnel_id from tunnels where proxy_id = ${proxyId})`;

/** Whose measurements say one of these ids, as a subquery. */
export const proxiesCountedAs = (sql: AnySql, ids: readonly string[]) => sql`(
  select proxy_id from owners where proxy_id = any(${sql.array([...ids], 2950)})
  union select proxy_id from tunnels where tunnel_id = any(${sql.array([...ids], 25)}))`;
