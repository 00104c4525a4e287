import type { Sql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { pruneJobRuns } from './history.ts';

const keptDays = 14;
const everyMs = 3_600_000;

/** Keeps the log of runs short. */
export function startHistoryPruner(sql: Sql, lifecycle: Lifecycle): void {
  lifecycle.every(everyMs, () => pruneJobRuns(sql, keptDays), {
    failed: 'job history could not be pruned, retrying',
  });
}
