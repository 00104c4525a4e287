import type { InternalCalls, Verb } from '@talpa/contracts';
import { healthSubject } from '@talpa/service-kit/bus/subjects';
import type { ProxiesContext } from '../context.ts';
import { type ProxyRow, saveProxy } from '../proxy/row.ts';
import { afterSeeing } from './health.ts';

/** Takes in what was seen of tunnels at the provider; writes and publishes only what has changed. */
export const observe: Verb<InternalCalls['proxies.observe'], ProxiesContext> = async (context, input) => {
  const seen = new Map(input.seen.map((one) => [one.proxyId, one]));
  const result = await context.transaction(async (tx) => {
    const rows = await tx.sql<ProxyRow[]>`
      select * from proxies where uuid in ${tx.sql([...seen.keys()])} order by id for update`;
    const changed = rows.flatMap((row) => {
      const one = seen.get(row.uuid);
      return (one && afterSeeing(row, one.tunnelId, one.health)) ?? [];
    });
    for (const row of changed) await saveProxy(tx, row);
    return { changed: changed.length, rows };
  });
  // Connections may have changed where the tunnel's health has not.
  for (const { userId, memberIds, id } of result.rows)
    for (const reader of [userId, ...memberIds]) context.nc.publish(healthSubject('proxies', reader, id));
  return { changed: result.changed };
};
