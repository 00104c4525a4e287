import { addressReservedDays } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';

const intervalMs = 60 * 60_000;

/** Deletes removed game ports and given back subdomains every hour once their reservation has ended. */
export function startReservationCleanup({ sql }: ServiceBase, lifecycle: Lifecycle): void {
  const work = async () => {
    await deleteReleasedPorts(sql);
    await sql`delete from reserved_hostnames where released_at < ${reservedSince(sql)}`;
  };
  lifecycle.every(intervalMs, work, {
    failed: 'ended reservations of subdomains and public ports could not be deleted, retrying',
    delayed: true,
  });
}

/** Deletes the removed game ports whose reservation has ended. */
export async function deleteReleasedPorts(sql: AnySql): Promise<void> {
  await sql`delete from game_ports where removed_at < ${reservedSince(sql)}`;
}

/** What was given back since then is still reserved. */
export const reservedSince = (sql: AnySql) => sql`now() - make_interval(days => ${addressReservedDays})`;
