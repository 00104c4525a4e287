import type { AppliedTunnel, TunnelHealth } from '@talpa/contracts';
import { lags, type ProxyRow } from '../proxy/row.ts';

/** Whether a tunnel of this health has a connector. */
export function isConnected(health: TunnelHealth | null): boolean {
  return health === 'healthy' || health === 'degraded';
}

/** Whether visitors get through, as a proxy's status. A suspended one's connector may come back; they do not. */
export function statusOf(health: TunnelHealth | null, applied: AppliedTunnel): 'active' | 'inactive' {
  return isConnected(health) && !applied.suspended ? 'active' : 'inactive';
}

/** What seeing a tunnel reads and changes of its proxy. */
export type SeenRow = Pick<
  ProxyRow,
  'removedAt' | 'applied' | 'tunnelHealth' | 'status' | 'statusReason' | 'generation' | 'appliedGeneration'
>;

/**
 * A row after its tunnel was seen at the provider; null when that changes nothing: because it is known
 * already, or was seen of another tunnel than the present one.
 */
export function afterSeeing<Row extends SeenRow>(
  row: Row,
  tunnelId: string,
  health: TunnelHealth | 'missing',
): Row | null {
  if (row.removedAt || row.applied?.tunnelId !== tunnelId) return null;
  if (health === 'missing')
    // While a change is under way the worker itself may just be replacing the tunnel.
    return lags(row)
      ? null
      : { ...row, applied: null, tunnelHealth: null, status: 'error', statusReason: 'tunnel_gone' };
  const isSettled = row.status === 'active' || row.status === 'inactive';
  const status = isSettled ? statusOf(health, row.applied) : row.status;
  if (row.tunnelHealth === health && row.status === status) return null;
  return { ...row, tunnelHealth: health, status };
}
