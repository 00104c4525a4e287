import { temporaryHome } from '@talpa/test-kit/home';
import { lengthOf, seedOf } from '@talpa/test-kit/lengths';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { signInAsAdmin, startTestTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Talpa } from '../../launcher/system.ts';
import { disturbing } from './known.ts';
import { accuse, newJournal } from './outcome.ts';
import { startLoad, total } from './run.ts';
import { mountSlowDisk, type SlowDisk } from './slow-disk.ts';
import type { TestUser } from './test-user.ts';
import { judge } from './verdict.ts';

const seed = seedOf('TALPA_FAULTS_SEED');
const env = {
  ...{ PROVISION_WAIT_MS: '2000', SWEEP_INTERVAL_MS: '1000', PROVISION_ATTEMPTS: '30' },
  // What a call makes that nobody waits for any more, a resync alone finds: by default within 25 minutes.
  ...{ RESYNC_INTERVAL_MS: '10000', RESYNC_GRACE_MS: '60000' },
};
const home = temporaryHome();
/** How many writes a second the slow disk does; without it the test is left out. */
const writesPerSecond = lengthOf('TALPA_SLOW_DISK');
const users = 6;
/** How many calls of each count before the disk changes. */
const times = 15;
const patienceMs = 240_000;

let disk: SlowDisk | null = null;
let talpa: Talpa | undefined;
beforeAll(async () => {
  if (writesPerSecond > 0) disk = mountSlowDisk(home, 1_500_000_000);
  if (disk) talpa = await startTestTalpa(home, env, { fast: false });
});
afterAll(async () => {
  disk?.limit(null);
  await talpa?.stop();
  disk?.remove();
});

it('a slow disk costs time, but nothing that was acknowledged, and all heals when it is fast again', async ({
  skip,
}) => {
  if (!talpa) return skip('needs TALPA_SLOW_DISK, root, a loop device and the throttle of cgroup v1');
  const { parts } = talpa;
  const admin = await signInAsAdmin(talpa.url);
  const journal = newJournal();
  const known: TestUser[] = [];
  const pids = () => Object.fromEntries([...parts].map(([name, part]) => [name, part.pid()]));
  const load = startLoad(talpa, admin, users, journal, randomFrom(seed), known);
  const ended = () => total(journal.acknowledged) + total(journal.refused) + total(journal.unknown);
  /** Works at that speed for a while, and says what people felt. */
  const work = async (limit: number | null) => {
    disk?.limit(limit);
    journal.longestMs = 0;
    const [startedAt, unknown, goal] = [Date.now(), total(journal.unknown), ended() + times * users];
    const before = pids();
    await until('calls that ended', () => ended() >= goal, patienceMs);
    const seconds = (Date.now() - startedAt) / 1_000;
    console.log(
      `${limit ?? 'all'} writes/s: ${times * users} calls ended in ${seconds.toFixed(1)} s, ` +
        `${total(journal.unknown) - unknown} not served, the longest wait ${journal.longestMs} ms, ` +
        `restarted: ${[...parts.keys()].filter((name) => pids()[name] !== before[name])}`,
    );
  };
  try {
    await work(null);
    await disturbing(journal, () => work(writesPerSecond).finally(() => disk?.limit(null)));
    await work(null);
  } catch (error) {
    accuse(journal, String(error));
  }
  disk?.limit(null);
  await load.stop();
  await judge(talpa, admin, known, journal).catch((error) => accuse(journal, String(error)));
  console.log(`seed ${seed}`, journal.acknowledged, journal.refused, journal.unknown);
  expect(journal.violations).toEqual([]);
}, 900_000);
