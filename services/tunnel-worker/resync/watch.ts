import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { tunnelChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { Log } from '@talpa/service-kit/log';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { backoffMs } from '../jobs/backoff.ts';
import { isProviderError } from '../provider/errors.ts';
import { serverOfTunnel } from '../provider/names.ts';
import type { Seen } from './compare.ts';
import type { PassContext } from './context.ts';

/** Each costs a call; what has changed meanwhile is looked at next. */
const lookedAtOnce = 20;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Looks at single tunnels as soon as the embedded provider says that something about them has changed: one of
 * the workers does. A word that is lost costs time alone, the next pass looks at all.
 * @param look resolves with those that could not be looked at
 */
export function watchTunnels(
  nc: NatsConnection,
  look: (tunnelIds: readonly string[]) => Promise<readonly string[]>,
  { log, onStop }: Lifecycle,
): void {
  const waiting = new Set<string>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let working: Promise<void> | null = null;
  const work = async () => {
    for (let failures = 0; waiting.size > 0 && !signal.aborted; ) {
      const ids = [...waiting].slice(0, lookedAtOnce);
      for (const id of ids) waiting.delete(id);
      const missed = await look(ids).catch((error: unknown) => {
        log.warn({ err: error }, 'changed tunnels could not be checked, retrying');
        return ids;
      });
      for (const id of missed) waiting.add(id);
      failures = missed.length > 0 ? failures + 1 : 0;
      if (failures > 0) await sleep(backoffMs(failures), undefined, { signal }).catch(() => {});
    }
    working = null;
  };
  const subscription = nc.subscribe(tunnelChangedSubject('*'), {
    queue: 'tunnel-worker',
    callback: (error, { subject }) => {
      const tunnelId = subject.split('.').at(-1) ?? '';
      if (error || !uuid.test(tunnelId))
        return log.warn(
          { err: error, subject },
          'tunnel.changed message ignored: its subject names no tunnel',
        );
      waiting.add(tunnelId);
      working ??= work();
    },
  });
  onStop('watch', async () => {
    subscription.unsubscribe();
    stopping.abort();
    await working;
  });
}

/** Asks the provider for these tunnels and publishes their health to proxies. @returns those to be looked at again */
export async function lookAt(
  { provider, installationId, observe }: Pick<PassContext, 'provider' | 'installationId' | 'observe'>,
  tunnelIds: readonly string[],
  log: Log,
): Promise<readonly string[]> {
  const missed: string[] = [];
  const found = await Promise.all(
    tunnelIds.map(async (tunnelId): Promise<Seen[]> => {
      try {
        const tunnel = await provider.getTunnel(tunnelId);
        // Whether one that is gone was wanted is for the pass to find out.
        const serverId = tunnel && serverOfTunnel(installationId, tunnel.name);
        return serverId && tunnel.status ? [{ serverId, tunnelId, health: tunnel.status }] : [];
      } catch (error) {
        if (isProviderError(error, 'missing')) return [];
        // Asked again, a refusal is the same, and the others would wait for it.
        const again = !isProviderError(error, 'refused');
        if (again) missed.push(tunnelId);
        log.warn(
          { err: error, tunnelId },
          `changed tunnel could not be checked, ${again ? 'retrying' : 'the next resync checks it'}`,
        );
        return [];
      }
    }),
  );
  const seen = found.flat();
  if (seen.length > 0) await observe(seen);
  return missed;
}
