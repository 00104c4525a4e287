import type { AppliedProxy, TunnelHealth } from '@talpa/contracts';
import { isConnected } from '@talpa/contracts/status';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { lags, type ProxyRow, saveProxy } from '../proxy/row.ts';
import { type LockedServer, saveServer } from '../server/row.ts';

/** Whether visitors get through, as a proxy's status. A suspended one's connector may come back; they do not. */
export function statusOf(health: TunnelHealth | null, applied: AppliedProxy): 'active' | 'inactive' {
  return isConnected(health) && !applied.suspended ? 'active' : 'inactive';
}

/** Takes in what was seen of a locked server's tunnel. @returns whether that has changed anything */
export async function takeInSeen(
  tx: Tx,
  locked: LockedServer,
  tunnelId: string,
  health: TunnelHealth | 'missing',
): Promise<boolean> {
  const { server, proxies } = locked;
  // Of another tunnel than the present one it says nothing.
  if (server.removedAt || server.applied?.tunnelId !== tunnelId) return false;
  // While a change is under way the worker itself may just be replacing the tunnel.
  if (health === 'missing' && (lags(server) || proxies.some(lags))) return false;
  const isNew = server.tunnelHealth !== health;
  if (isNew)
    await saveServer(
      tx,
      locked,
      health === 'missing' ? { applied: null, tunnelHealth: null } : { tunnelHealth: health },
    );
  const changed = proxies.flatMap((row) => afterSeeing(row, health) ?? []);
  for (const row of changed) await saveProxy(tx, row);
  return isNew || changed.length > 0;
}

/** What seeing a tunnel reads and changes of a proxy. */
export type SeenRow = Pick<ProxyRow, 'removedAt' | 'applied' | 'tunnelHealth' | 'status' | 'statusReason'>;

/** A row after its server's tunnel was seen; null when that changes nothing. */
export function afterSeeing<Row extends SeenRow>(row: Row, health: TunnelHealth | 'missing'): Row | null {
  if (row.removedAt || !row.applied) return null;
  if (health === 'missing')
    return { ...row, applied: null, tunnelHealth: null, status: 'error', statusReason: 'tunnel_gone' };
  const isSettled = row.status === 'active' || row.status === 'inactive';
  const status = isSettled ? statusOf(health, row.applied) : row.status;
  if (row.tunnelHealth === health && row.status === status) return null;
  return { ...row, tunnelHealth: health, status };
}
