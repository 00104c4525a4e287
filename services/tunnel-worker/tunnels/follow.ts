import { randomUUID } from 'node:crypto';
import { callInternal, deadlineOf } from '@talpa/service-kit/bus/request';
import { tunnelChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import type { Budget } from '../budget/budget.ts';
import { createProvider } from '../provider/client.ts';
import { proxyOfTunnel } from '../provider/names.ts';
import type { WorkerSettings } from '../settings.ts';

const patienceMs = 5_000;

/**
 * Looks at a tunnel as soon as the embedded provider says that its connections have changed. What is missed,
 * the next pass over all tunnels finds.
 * @param onChanged called first: what is remembered of it is no longer so.
 */
export function followTunnels(
  { nc }: ServiceBase,
  settings: WorkerSettings,
  budget: Budget,
  onChanged: (tunnelId: string) => void,
  lifecycle: Lifecycle,
): void {
  const stopping = new AbortController();
  const again = new Set<string>();
  const running = new Set<string>();
  const provider = createProvider(settings, {
    signal: stopping.signal,
    turn: () => budget.turn('background', patienceMs, stopping.signal),
    onRateLimited: (ms) => budget.pause(ms),
  });
  const observe = async (tunnelId: string) => {
    const tunnel = await provider.getTunnel(tunnelId);
    const proxyId = tunnel && proxyOfTunnel(settings.INSTALLATION_ID, tunnel.name);
    // What is gone was removed by us, or is the reconciler's matter.
    if (!tunnel || !proxyId) return;
    const seen = [{ proxyId, tunnelId, health: tunnel.health }];
    const deadlineAt = Date.now() + deadlineOf('proxies.observe');
    const info = { requestId: randomUUID(), language: 'de' as const, deadlineAt };
    await callInternal(nc, 'proxies.observe', { seen }, info);
  };
  const look = async (tunnelId: string) => {
    onChanged(tunnelId);
    // A look under way may have been overtaken by what made us look.
    again.add(tunnelId);
    if (running.has(tunnelId)) return;
    running.add(tunnelId);
    try {
      while (again.delete(tunnelId)) await observe(tunnelId);
    } catch (error) {
      lifecycle.log.debug({ err: error, tunnelId }, 'a tunnel could not be looked at');
    } finally {
      running.delete(tunnelId);
    }
  };
  const subscription = nc.subscribe(tunnelChangedSubject('*'), {
    callback: (error, message) => {
      if (error) lifecycle.log.error({ err: error }, 'changes of tunnels cannot be received');
      else void look(message.subject.split('.').at(-1) ?? '');
    },
  });
  lifecycle.onStop('tunnels followed', () => {
    subscription.unsubscribe();
    stopping.abort(new Error('the process stops'));
  });
}
