import type { Scenario } from 'k6/options';
import type { ProfileName } from './names.ts';

/** Journeys that begin in a second when the profile runs at its full height; a scenario says its own. */
export type Height = number;

/** k6 counts in whole numbers: by the minute, so that fewer than one a second are possible. */
const arrivals = { timeUnit: '1m', gracefulStop: '20s' } as const;
const rate = (height: Height) => Math.round(height * 60);

/**
 * How load comes and goes. People arrive whether or not the ones before them have been served (open model):
 * what cannot be kept up with is seen as waiting and as dropped iterations, not as a lower rate.
 * Durations are bounded; `K6_MINUTES` stretches `average` and `soak`.
 */
const minutes = Number(__ENV.K6_MINUTES || 0);

export const profiles = {
  /** Does it work at all. */
  smoke: () => ({ executor: 'per-vu-iterations', vus: 1, iterations: 3, maxDuration: '1m' }),
  /** A day as any other. */
  average: (height) => ({
    executor: 'ramping-arrival-rate',
    ...arrivals,
    startRate: 0,
    ...users(height),
    stages: [
      { duration: '20s', target: rate(height) },
      { duration: `${minutes || 2}m`, target: rate(height) },
      { duration: '10s', target: 0 },
    ],
  }),
  /** More than usual, for a while. */
  stress: (height) => ({
    executor: 'ramping-arrival-rate',
    ...arrivals,
    startRate: rate(height),
    ...users(height * 4),
    stages: [
      { duration: '30s', target: rate(height * 2) },
      { duration: '1m', target: rate(height * 2) },
      { duration: '30s', target: rate(height * 4) },
      { duration: '1m', target: rate(height * 4) },
      { duration: '20s', target: 0 },
    ],
  }),
  /** All at once, and then as before. */
  spike: (height) => ({
    executor: 'ramping-arrival-rate',
    ...arrivals,
    startRate: rate(height),
    ...users(height * 8),
    stages: [
      { duration: '20s', target: rate(height) },
      { duration: '5s', target: rate(height * 8) },
      { duration: '20s', target: rate(height * 8) },
      { duration: '5s', target: rate(height) },
      { duration: '40s', target: rate(height) },
    ],
  }),
  /** Long enough for leaks to show. */
  soak: (height) => ({
    executor: 'constant-arrival-rate',
    ...arrivals,
    rate: rate(height),
    ...users(height),
    duration: `${minutes || 30}m`,
  }),
} as const satisfies Record<ProfileName, (height: Height) => Scenario>;

/**
 * Enough virtual users for journeys of four seconds, and room when they get slow: while k6 makes another one it drops
 * a journey.
 */
function users(height: Height) {
  return { preAllocatedVUs: Math.ceil(height * 4), maxVUs: Math.ceil(height * 20) };
}
