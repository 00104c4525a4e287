import { type Cluster, startCluster } from '@talpa/test-kit/cluster/cluster';
import { isLong, seedOf } from '@talpa/test-kit/lengths';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { signInAsAdmin } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Felt, faultsOf, strike } from './cluster-faults.ts';
import { accuse, newJournal } from './outcome.ts';
import { startLoad, total } from './run.ts';
import type { TestUser } from './test-user.ts';
import { judge } from './verdict.ts';

const seed = seedOf('TALPA_FAULTS_SEED');
/** Without a name none: starting the cluster alone takes a twelfth of the processor time of all other tests. */
const wanted = process.env.TALPA_CLUSTER_FAULTS ?? (isLong ? 'all' : '');
const env = { PROVISION_WAIT_MS: '2000', SWEEP_INTERVAL_MS: '1000', PROVISION_ATTEMPTS: '30' };
const users = 6;
let cluster: Cluster;
beforeAll(async () => {
  if (wanted) cluster = await startCluster(env);
});
afterAll(() => cluster?.stop());

it.runIf(wanted)(
  'on a cluster nothing acknowledged is lost and nobody waits for long while a node is away',
  async () => {
    const random = randomFrom(seed);
    const admin = await signInAsAdmin(cluster.talpa.url);
    const journal = newJournal();
    const known: TestUser[] = [];
    await until('nothing lacks', () => cluster.isWhole());
    const load = startLoad(cluster.talpa, admin, users, journal, random, known);
    try {
      await until('people at work', () => journal.changes >= 5 * users);
      for (const fault of faultsOf(cluster, random, wanted)) {
        console.log(figuresOf(await strike(cluster, fault, journal, () => total(journal.unknown))));
        // The next fault would prolong the doubts of this one. New ones may come: a busy machine leaves some calls without a response.
        const doubting = new Set(known);
        await until('an end of the doubts of each person', () => {
          for (const user of doubting) if (!user.inDoubt || !known.includes(user)) doubting.delete(user);
          return doubting.size === 0;
        });
      }
    } catch (error) {
      accuse(journal, String(error));
    }
    await load.stop();
    await judge(cluster.talpa, admin, known, journal).catch((error) => accuse(journal, String(error)));
    const { acknowledged, refused, unknown } = journal;
    console.log(`seed ${seed}`, { acknowledged: total(acknowledged), refused, unknown });
    expect(journal.violations).toEqual([]);
  },
  10_800_000,
);

/** For people. */
function figuresOf({ fault, unserved, troubledMs, longestMs }: Felt): string {
  return `${fault}: ${unserved} calls not served, the last after ${troubledMs} ms; the longest wait ${longestMs} ms`;
}
