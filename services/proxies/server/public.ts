import { type Actor, includesRole, type Server } from '@talpa/contracts';
import { isConnected } from '@talpa/contracts/status';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { lags } from '../proxy/row.ts';
import { type Reach, reachOfOne } from './roles.ts';
import type { ServerRow } from './row.ts';

/** A server as the API shows it to somebody. */
export function publicServer(row: ServerRow, { role, proxyIds }: Pick<Reach, 'role' | 'proxyIds'>): Server {
  return {
    id: row.id,
    userId: row.userId,
    name: row.name,
    kind: row.kind,
    createdAt: row.createdAt.toISOString(),
    status: statusOf(row),
    tunnelHealth: row.tunnelHealth,
    tunnelHealthAt: row.tunnelHealthAt?.toISOString() ?? null,
    cfTunnelId: row.applied?.tunnelId ?? null,
    proxyIds: [...proxyIds],
    role,
    mayReadToken: role !== null && includesRole(role, 'operate'),
    tokenShared: row.tokenSharedAt !== null,
  };
}

/** The same, with what the reader is to it now. */
export const shownServer = async (sql: AnySql, row: ServerRow, actor: Actor): Promise<Server> =>
  publicServer(row, await reachOfOne(sql, row, actor));

function statusOf(row: ServerRow): Server['status'] {
  if (row.applied) return isConnected(row.tunnelHealth) ? 'active' : 'inactive';
  return lags(row) ? 'pending' : 'error';
}
