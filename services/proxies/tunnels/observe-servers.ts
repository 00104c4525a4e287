import type { InternalCalls, Verb } from '@talpa/contracts';
import { healthSubject } from '@talpa/service-kit/bus/subjects';
import type { ProxiesContext } from '../context.ts';
import { announceServer } from '../server/announce.ts';
import { type LockedServer, lockServers } from '../server/row.ts';
import { takeInSeen } from './health.ts';

/** Takes in what was seen of tunnels at the provider; writes and publishes only what has changed. */
export const observeServers: Verb<InternalCalls['proxies.observeServers'], ProxiesContext> = async (
  context,
  input,
) => {
  const seen = new Map(input.seen.map((one) => [one.serverId, one]));
  const result = await context.transaction(async (tx) => {
    const servers = await lockServers(tx, tx.sql`uuid in ${tx.sql([...seen.keys()])}`);
    const changed: LockedServer[] = [];
    for (const locked of servers) {
      const one = seen.get(locked.server.uuid);
      if (one && (await takeInSeen(tx, locked, one.tunnelId, one.health))) changed.push(locked);
    }
    return { changed, proxies: servers.flatMap(({ proxies }) => proxies) };
  });
  for (const locked of result.changed) announceServer(context.nc, locked);
  // Connections may have changed where the tunnel's health has not.
  for (const { userId, memberIds, id } of result.proxies)
    for (const reader of [userId, ...memberIds]) context.nc.publish(healthSubject('proxies', reader, id));
  return { changed: result.changed.length };
};
