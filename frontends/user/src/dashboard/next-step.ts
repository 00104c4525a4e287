import type { ProxyConfig } from '@talpa/contracts';
import { absenceOf } from '@talpa/contracts/status';

/** What a row of the dashboard leads to. */
export type NextStep = 'install' | 'check' | 'recreate' | 'resume';

/** Out of a pause, to the connector where there never was one, else to what the provider says; null while there is nothing to do. */
export function nextStepOf(proxy: ProxyConfig): NextStep | null {
  if (proxy.suspension || proxy.changePending || proxy.status === 'pending') return null;
  if (!proxy.cfTunnelId) return 'recreate';
  if (proxy.paused) return 'resume';
  return absenceOf(proxy) === 'never' ? 'install' : 'check';
}
