import type { TunnelHealth } from '@talpa/contracts';

/** Whether a tunnel of this health has a connector. */
export function isConnected(health: TunnelHealth | null): boolean {
  return health === 'healthy' || health === 'degraded';
}
