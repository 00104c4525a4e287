import type { AnySql } from '@talpa/service-kit/database/sql';

/** What connectors of a tunnel are to do. */
export interface RemoteConfiguration {
  readonly version: number;
  readonly config: { readonly ingress?: readonly { hostname?: string; service: string }[] };
}

/** The configuration of a tunnel; null when it was never configured. */
export async function findConfiguration(sql: AnySql, tunnelId: string): Promise<RemoteConfiguration | null> {
  const [row] = await sql<RemoteConfiguration[]>`
    select version, config from tunnel_provider.configurations where tunnel_id = ${tunnelId}`;
  return row ?? null;
}

/** The versions of these tunnels' configurations, of those that have one. */
export async function findVersions(
  sql: AnySql,
  tunnelIds: readonly string[],
): Promise<{ tunnelId: string; version: number }[]> {
  return sql<{ tunnelId: string; version: number }[]>`
    select tunnel_id, version from tunnel_provider.configurations
    where tunnel_id = any(${sql.array([...tunnelIds], 2950)})`;
}

/** The operator lets nobody in: a single rule that responds 403 to everything. */
export function isSuspended(configuration: RemoteConfiguration | null): boolean {
  const [rule, ...more] = configuration?.config.ingress ?? [];
  return more.length === 0 && !rule?.hostname && rule?.service === 'http_status:403';
}
