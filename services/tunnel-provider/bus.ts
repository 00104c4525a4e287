import { connectBus } from '@talpa/service-kit/bus/connect';
import { publishStored } from '@talpa/service-kit/bus/publish';
import { measuredSubject, tunnelChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { Sql } from '@talpa/service-kit/database/connect';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { startTelling } from './edge/traffic/tell.ts';

/**
 * Connects the provider with the panel: tells at once whose connections have changed, and the statistics what
 * was measured. The provider answers without it; what the bus loses is looked up by others later.
 * @returns what to call when something was measured
 */
export async function joinBus(url: string, sql: Sql, lifecycle: Lifecycle): Promise<() => void> {
  const nc = await connectBus(url, 'provider', lifecycle);
  await sql.listen('connections', (tunnelId) => {
    if (!nc.isClosed()) nc.publish(tunnelChangedSubject(tunnelId));
  });
  const telling = startTelling(
    sql,
    (what) => publishStored(nc, measuredSubject('provider'), what),
    lifecycle.log,
  );
  lifecycle.onStop('measurements', telling.stop);
  telling.kick();
  return telling.kick;
}
