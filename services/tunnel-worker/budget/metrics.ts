import type { Redis } from '@talpa/service-kit/redis/connect';
import { counter, gauge, readOnScrape } from '@talpa/service-kit/telemetry/metrics';
import { readShared } from './shared.ts';
import { type Allowance, type Lane, slotsCounted, slotsSpread } from './window.ts';

const allowed = gauge(
  'talpa_provider_budget_calls',
  'Calls of the provider allowed in five minutes, by lane',
  ['lane'],
);
const left = gauge('talpa_provider_budget_left_calls', 'What is left of them now, for all workers together', [
  'lane',
]);
const paused = gauge(
  'talpa_provider_paused_seconds',
  'For how long no call may be made, as the provider has asked',
);
const seen = gauge('talpa_workers', 'Workers that have called the provider within the last minute');
const waits = counter(
  'talpa_provider_waits_total',
  'Calls that had to wait for the budget or were refused by it',
  ['lane'],
);
const pauses = counter('talpa_provider_pauses_total', 'Times the provider has asked for a pause');

/** Reads what is left of the budget that all workers share. */
export function measureBudget(redis: Redis, { all, background }: Allowance): void {
  for (const lane of ['interactive', 'background'] as const) waits.labels(lane).inc(0);
  pauses.inc(0);
  readOnScrape('budget', [allowed, left, paused, seen], async () => {
    allowed.set({ lane: 'interactive' }, all);
    allowed.set({ lane: 'background' }, background);
    const { used, recentBackground, pauseMs, workers } = await readShared(redis);
    const spread = Math.ceil((background * slotsSpread) / (slotsCounted - 1));
    left.set({ lane: 'interactive' }, Math.max(0, all - used));
    left.set({ lane: 'background' }, Math.max(0, Math.min(background - used, spread - recentBackground)));
    paused.set(pauseMs / 1_000);
    seen.set(workers);
  });
}

export const countWait = (lane: Lane) => waits.labels(lane).inc();
export const countPause = () => pauses.inc();
