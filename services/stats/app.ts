import type { Verbs } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { listAudit } from './audit/list.ts';
import { exportUser, listOwnAudit } from './audit/list-own.ts';
import { measureDeadLetters } from './audit/metrics.ts';
import { receiveAudit, retryDeadLetters } from './audit/receive.ts';
import { startRetention } from './audit/retention.ts';
import type { StatsContext } from './context.ts';
import { readEvents, readServerEvents } from './history/events.ts';
import { readHealth, readTraffic } from './history/read.ts';
import { receiveMeasurements } from './history/receive.ts';
import { forgetOldHistory } from './history/retention.ts';
import { watchLosses } from './losses/watch.ts';
import { exportRequests } from './requests/export.ts';
import { createLiveRequests } from './requests/live.ts';
import { projectPlans } from './requests/plans.ts';
import { readRequestLog, readRequests } from './requests/read.ts';
import { receiveRequests } from './requests/receive.ts';
import { forgetOldRequests } from './requests/retention.ts';
import type { StatsSettings } from './settings.ts';
import { getStorage } from './storage/get.ts';
import { getSystem } from './system/get.ts';
import { readLastBackup } from './system/last-backup.ts';
import { countEvents } from './totals/count.ts';
import { getTotals } from './totals/get.ts';
import { measureTotals } from './totals/metrics.ts';
import { keepTotalsKnown, rebuild } from './totals/rebuild.ts';

const verbs: Verbs<'stats', StatsContext> = {
  getTotals,
  listAudit,
  listOwnAudit,
  exportUser,
  rebuild,
  getStorage,
  getSystem,
  readLastBackup,
  readHealth,
  readTraffic,
  readEvents,
  readServerEvents,
  readRequestLog,
  readRequests,
  exportRequests,
};

/** Read models built from events, the audit trail, and measured history. */
export async function wire(base: ServiceBase, settings: StatsSettings, lifecycle: Lifecycle) {
  measureTotals(base.sql);
  measureDeadLetters(base.sql);
  countEvents(base, lifecycle);
  keepTotalsKnown(base, settings.STREAM_WATCH_MS, lifecycle);
  receiveAudit(base, lifecycle);
  retryDeadLetters(base, lifecycle);
  startRetention(base, lifecycle);
  receiveMeasurements(base, settings.ALERT_AFTER_SECONDS, lifecycle);
  forgetOldHistory(base, lifecycle);
  const liveRequests = createLiveRequests();
  projectPlans(base, lifecycle);
  receiveRequests(base, liveRequests, lifecycle);
  forgetOldRequests(base, settings.REQUEST_LOG_DAYS, lifecycle);
  watchLosses(base, settings.STREAM_WATCH_MS, lifecycle);
  return { added: { settings, liveRequests }, verbs };
}
