import type { Talpa } from '../../launcher/system.ts';
import type { Random } from '../kit/requests/random.ts';
import { providerOf } from '../kit/tunnels.ts';
import { until } from '../kit/wait.ts';
import type { Journal } from './outcome.ts';

/** Every process that is killed, stores included. */
export const killed = [
  'gateway',
  'auth',
  'billing',
  'proxies',
  'stats',
  'worker',
  'provider',
  'redis',
  'nats',
  'postgres',
] as const;

/** How long each kill was felt, in ms: until the next change was acknowledged. */
export type Kills = { readonly part: string; readonly recoveryMs: number }[];

/** Together 30 % of the provider's calls; the last of them hangs longer than the worker waits. */
const providerFaults = [
  { fault: '429', retryAfter: 0.5, share: 0.08 },
  { fault: '500', share: 0.08 },
  { fault: 'lose_answer', share: 0.08 },
  { fault: 'drop', share: 0.04 },
  { fault: 'delay', ms: 12_000, share: 0.02 },
] as const;

/** Lets the provider fail. It forgets that when it dies. */
export async function disturbProvider(talpa: Talpa): Promise<void> {
  const provider = providerOf(talpa);
  await until('the provider takes its faults', async () => {
    await provider.clearFaults();
    let spared = 1;
    for (const { share, ...fault } of providerFaults) {
      // Each is only asked when those before it have not hit.
      await provider.fault({ match: {}, ...fault, probability: share / spared });
      spared -= share;
    }
    return true;
  });
}

/** Changes that are acknowledged between two kills. */
const changesBetween = 20;

/** Kills every part once, in a random order, each when the last one has been got over. */
export async function killInTurn(
  talpa: Talpa,
  random: Random,
  journal: Journal,
  kills: Kills,
): Promise<void> {
  const progress = (changes: number, after: string) => {
    const goal = journal.changes + changes;
    return until(`${changes} changes acknowledged after ${after}`, () => journal.changes >= goal, 60_000);
  };
  for (const part of shuffled(killed, random)) {
    await progress(changesBetween, 'the kill before');
    const pid = talpa.parts.get(part)?.pid();
    if (!pid) throw new Error(`${part} does not run`);
    const killedAt = Date.now();
    process.kill(pid, 'SIGKILL');
    await until(`${part} runs again`, () => {
      const now = talpa.parts.get(part)?.pid();
      return now && now !== pid;
    });
    if (part === 'provider') await disturbProvider(talpa);
    await progress(1, `${part} was killed`);
    kills.push({ part, recoveryMs: Date.now() - killedAt });
  }
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((value) => ({ value, rank: random.fraction() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
}
