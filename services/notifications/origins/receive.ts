import type { CommandOf } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { runCommands } from '@talpa/service-kit/events/commands';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { notifyOrigins } from './notify.ts';

const name = 'notifications.storeOrigin';
const intervalMs = 5_000;

/** Keeps which proxies' admin panels do not respond, and notifies owners and members. */
export function followOrigins(base: ServiceBase, lifecycle: Lifecycle): void {
  runCommands(
    name,
    async (tx, order) => {
      await storeOrigin(tx.sql, order);
      await notifyOrigins(tx);
    },
    base,
    lifecycle,
  );
  // Its proxy may be known later than its measurement.
  lifecycle.every(intervalMs, () => base.transaction(notifyOrigins), {
    failed: 'admin panels that do not respond could not be looked for, retrying',
  });
}

/** One that fails again before its owner knows that it was back has been away all the time. */
async function storeOrigin(
  sql: AnySql,
  { tunnelId, version, isReachable, since }: CommandOf<typeof name>,
): Promise<void> {
  const at = new Date(since);
  await sql`
    insert into origins (tunnel_id, version, unreachable_since)
    values (${tunnelId}, ${version}, ${isReachable ? null : at})
    on conflict (tunnel_id) do update set
      version = excluded.version, heard_at = now(),
      unreachable_since = case
        when origins.lost_notified_at is not null then origins.unreachable_since
        else excluded.unreachable_since end,
      back_at = case when ${isReachable} and origins.lost_notified_at is not null then ${at}::timestamptz end
    where origins.version < excluded.version`;
}
