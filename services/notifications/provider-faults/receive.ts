import type { CommandOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runCommands } from '@talpa/service-kit/events/commands';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { notifyFaults } from './notify.ts';

const name = 'notifications.storeProviderFaults';
const intervalMs = 5_000;

/** Keeps which faults at the tunnel provider an operator has to remove, and notifies administrators. */
export function followProviderFaults(
  base: ServiceBase,
  alertAfterSeconds: number,
  lifecycle: Lifecycle,
): void {
  runCommands(name, storeFaults, base, lifecycle, { concurrency: 1 });
  lifecycle.every(intervalMs, () => base.transaction((tx) => notifyFaults(tx, alertAfterSeconds)), {
    failed: 'faults at the tunnel provider could not be looked for, retrying',
  });
}

/** A report holds all faults. One that comes back before it counts as gone was there all the time. */
async function storeFaults({ sql }: Tx, { faults, version }: CommandOf<typeof name>): Promise<void> {
  const { count } = await sql`
    update provider_fault_reports set version = ${version} where version < ${version}`;
  if (count === 0) return;
  for (const { fault, since } of faults)
    await sql`
      insert into provider_faults (fault, since) values (${fault}, ${since})
      on conflict (fault) do update set gone_at = null,
        since = case when provider_faults.gone_at is null then provider_faults.since else excluded.since end`;
  const lasting = faults.map(({ fault }) => fault);
  await sql`
    update provider_faults set gone_at = now()
    where gone_at is null and fault <> all(${sql.array(lasting, 25)})`;
}
