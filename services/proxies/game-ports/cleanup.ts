import { gamePortReservedDays } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';

const intervalMs = 60 * 60_000;

/** Deletes removed game ports every hour once their reservation has ended. */
export function startPortCleanup({ sql }: ServiceBase, lifecycle: Lifecycle): void {
  lifecycle.every(intervalMs, () => deleteReleasedPorts(sql), {
    failed: 'removed game ports could not be deleted, retrying',
    delayed: true,
  });
}

/** Deletes the removed game ports whose reservation has ended. */
export async function deleteReleasedPorts(sql: AnySql): Promise<void> {
  await sql`delete from game_ports where removed_at < now() - make_interval(days => ${gamePortReservedDays})`;
}
