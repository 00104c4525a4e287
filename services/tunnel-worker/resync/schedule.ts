import { setTimeout as sleep } from 'node:timers/promises';
import type { ResyncReport } from '@talpa/contracts';
import { callInternal, systemCall } from '@talpa/service-kit/bus/request';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import type { Budget } from '../budget/budget.ts';
import type { ProviderProblems } from '../problems/problems.ts';
import { createProvider } from '../provider/client.ts';
import type { WorkerSettings } from '../settings.ts';
import type { PassContext, PassOptions } from './context.ts';
import { makePass } from './pass.ts';
import { claimPass, endPass, type Pass } from './sql.ts';
import { lookAt, watchTunnels } from './watch.ts';

/** A pass must have ended after so long; a dead worker's is taken over then. */
const passMs = 50_000;
const lookEveryMs = 1_000;
/** How long a call waits for the budget in the background lane. */
const patienceMs = 30_000;

/** Looks at the provider as a whole, one pass at a time among all workers. */
export interface Resync {
  /** Makes a whole pass now; waits for one that is under way. @throws ProviderError, BudgetExhausted, AppError */
  resync(options: Omit<PassOptions, 'whole'>): Promise<ResyncReport>;
}

/**
 * A pass costs a call for each thousand tunnels, a whole one as many more for records: at 1 000 tunnels 11
 * calls in five minutes, of the 660 the background may have.
 * @param onWoken called when the controller has something to do.
 */
export function startResync(
  base: ServiceBase,
  settings: WorkerSettings,
  budget: Budget,
  problems: ProviderProblems,
  onEnqueued: () => void,
  lifecycle: Lifecycle,
): Resync {
  const { sql, nc } = base;
  const stopping = new AbortController();

  const contextFor = (signal: AbortSignal): PassContext => ({
    sql,
    provider: createProvider(settings, {
      signal,
      acquire: () => budget.acquire('background', patienceMs, signal),
      onRateLimited: (ms) => budget.pause(ms),
      problems,
    }),
    problems,
    installationId: settings.INSTALLATION_ID,
    graceMs: settings.RESYNC_GRACE_MS,
    brake: settings.RESYNC_MAX_DELETIONS,
    listServers: (after) =>
      callInternal(nc, 'proxies.listServers', { after }, systemCall('proxies.listServers')),
    observe: async (seen) => {
      const input = { seen: [...seen] };
      return (await callInternal(nc, 'proxies.observeServers', input, systemCall('proxies.observeServers')))
        .changed;
    },
  });
  const make = async (pass: Pass, options: Omit<PassOptions, 'whole'>): Promise<ResyncReport> => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(passMs)]);
    let report: ResyncReport | null = null;
    try {
      report = await makePass(contextFor(signal), { ...options, whole: pass.whole });
      if (report.enqueued > 0) onEnqueued();
      notifyOperators(lifecycle, report, pass.whole);
      return report;
    } finally {
      await endPass(sql, pass, pass.whole ? report : null);
    }
  };
  const look = async () => {
    const due = { healthMs: settings.HEALTH_INTERVAL_MS, wholeMs: settings.RESYNC_INTERVAL_MS };
    const pass = await claimPass(sql, due, passMs);
    if (pass) await make(pass, { dryRun: false, confirm: false });
  };

  lifecycle.every(Math.min(lookEveryMs, settings.HEALTH_INTERVAL_MS), look, {
    failed: 'resync failed, retrying',
    delayed: true,
  });
  watchTunnels(
    nc,
    (tunnelIds) => {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(passMs)]);
      return lookAt(contextFor(signal), tunnelIds, lifecycle.log);
    },
    lifecycle,
  );
  // Registered later, and so undone before the wait for a pass that runs.
  lifecycle.onStop('resync', () => stopping.abort(new Error('the process stops')));
  return {
    resync: async (options) => {
      for (;;) {
        const pass = await claimPass(sql, { healthMs: 0, wholeMs: 0 }, passMs);
        if (pass) return make(pass, options);
        await sleep(200, undefined, { signal: stopping.signal });
      }
    },
  };
}

/** What a whole pass did is said; of health alone only what has changed. */
function notifyOperators({ log }: Lifecycle, report: ResyncReport, whole: boolean): void {
  const { tunnels, records, changed, enqueued, heldBack, dryRun } = report;
  const tunnelsGone = report.tunnelsGone.length;
  const recordsGone = report.recordsGone.length;
  const leftovers = report.leftovers.length;
  const figures = {
    tunnels,
    records,
    changed,
    tunnelsGone,
    recordsGone,
    leftovers,
    enqueued,
    dryRun,
    heldBack,
  };
  if (heldBack === 'missing')
    log.warn(
      figures,
      'too many tunnels are missing, nothing is changed: run `npm run talpa -- resync --dry-run`',
    );
  else if (heldBack && leftovers > 0)
    log.warn(
      figures,
      'leftovers at the provider are not removed without confirmation: run `npm run talpa -- resync --dry-run`',
    );
  else if (whole || changed > 0) log.info(figures, 'resync completed');
  else log.debug(figures, 'resync completed');
}
