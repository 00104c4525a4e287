import type { Sql } from '@talpa/service-kit/database/sql';
import { gauge, readOnScrape } from '@talpa/service-kit/telemetry/metrics';

const deadLetters = gauge(
  'talpa_dead_letters',
  'Messages that could not be read and are kept as dead letters',
  ['kind'],
);

/** Counts the rows of the audit trail that no version here could read. */
export function measureDeadLetters(sql: Sql): void {
  readOnScrape('dead letters', [deadLetters], async () => {
    const [row] = await sql<{ count: number }[]>`select count(*) from audit_dead_letters`;
    deadLetters.set({ kind: 'audit' }, row?.count ?? 0);
  });
}
