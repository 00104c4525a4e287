import type { ProxyConfig } from '@talpa/contracts';
import { absenceOf } from '@talpa/contracts/status';

/** What a user should know of a proxy, and may have to do something about; the most urgent first. */
const attentions = ['suspended', 'error', 'lost', 'never', 'degraded', 'pending', 'paused'] as const;
export type Attention = (typeof attentions)[number];

/** Why a proxy needs care; null when all is well. */
export function attentionOf(proxy: ProxyConfig): Attention | null {
  if (proxy.suspension) return 'suspended';
  // What its owner has closed need not be reachable.
  if (proxy.paused && proxy.status !== 'error') return 'paused';
  // The status badge shows the pending change, too, whatever the status was before.
  if (proxy.changePending) return 'pending';
  if (proxy.status === 'error') return 'error';
  if (proxy.status === 'pending') return 'pending';
  const absence = absenceOf(proxy);
  if (absence) return absence;
  return proxy.tunnelHealth === 'degraded' ? 'degraded' : null;
}

/** Whether the user has to do something; a change under way, or a pause, needs nothing from them. */
export function needsCare(proxy: ProxyConfig): boolean {
  const attention = attentionOf(proxy);
  return attention !== null && attention !== 'pending' && attention !== 'paused';
}

/** Those that need care first, the urgent ones on top; else as they come. */
export function byUrgency(proxies: readonly ProxyConfig[]): ProxyConfig[] {
  const rank = (proxy: ProxyConfig) => {
    const attention = attentionOf(proxy);
    return attention ? attentions.indexOf(attention) : attentions.length;
  };
  return proxies.toSorted((a, b) => rank(a) - rank(b));
}
