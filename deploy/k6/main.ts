import type { Options } from 'k6/options';
import { createClient } from './lib/client.ts';
import { nameOutOf, profileNames, type ScenarioName, scenarioNames } from './lib/names.ts';
import { findPeople, type People, removePeople } from './lib/people.ts';
import { profiles } from './lib/profiles.ts';
import { thresholdsOf } from './lib/thresholds.ts';
import { adminListsJourney } from './scenarios/admin-lists.ts';
import { apiKeyJourney } from './scenarios/api-key.ts';
import { dashboardJourney } from './scenarios/dashboard.ts';
import type { Journey } from './scenarios/journey.ts';
import { panelJourney } from './scenarios/panel.ts';
import { proxyLifeJourney } from './scenarios/proxy-life.ts';
import { secondFactorJourney } from './scenarios/second-factor.ts';
import { signInJourney } from './scenarios/sign-in.ts';

/*
 * `k6 run -e SCENARIO=dashboard -e PROFILE=average -e BASE_URL=http://127.0.0.1:8080 main.ts`; `npm run load`
 * starts an instance for it, and people.
 */
const journeys: Record<ScenarioName, Journey> = {
  'sign-in': signInJourney,
  'second-factor': secondFactorJourney,
  dashboard: dashboardJourney,
  'proxy-life': proxyLifeJourney,
  'api-key': apiKeyJourney,
  'admin-lists': adminListsJourney,
  panel: panelJourney,
};

const scenario = nameOutOf('scenario', scenarioNames, __ENV.SCENARIO || 'dashboard');
const profile = nameOutOf('profile', profileNames, __ENV.PROFILE || 'smoke');
const journey = journeys[scenario];
const height = Number(__ENV.K6_HEIGHT || journey.height);
const client = createClient(__ENV.BASE_URL || 'http://127.0.0.1:40121');

export const options: Options = {
  scenarios: { [scenario]: profiles[profile](height) },
  thresholds: thresholdsOf(profile, journey.calls),
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  // Making and removing people takes its time where it takes turns with others.
  setupTimeout: '3m',
  teardownTimeout: '3m',
  // A journey's session stays from one to the next, as a browser's does.
  noCookiesReset: true,
};

export function setup(): People {
  return findPeople(client);
}

export default function run(people: People): void {
  journey.run(client, people);
}

export function teardown(people: People): void {
  removePeople(client, people);
}
