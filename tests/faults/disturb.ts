import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf } from '@talpa/instance/child';
import type { Random } from '@talpa/test-kit/requests/random';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import type { Talpa } from '../../launcher/system.ts';
import type { Journal } from './outcome.ts';

/** A hanging part neither works nor ends: the launcher must notice it and kill it. */
type Blow = 'killed' | 'hung';
/** How long each blow was felt, in ms: until the next change was acknowledged. */
export type Blows = { readonly part: string; readonly blow: Blow; readonly recoveryMs: number }[];

/** Together 30 % of the provider's calls; the last of them hangs longer than the worker waits. */
const providerFaults = [
  { fault: '429', retryAfter: 0.5, share: 0.08 },
  { fault: '500', share: 0.08 },
  { fault: 'lose_response', share: 0.08 },
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

/** Changes that are acknowledged between two blows. */
const changesBetween = 20;
/** A hang costs the seconds until it is noticed. */
const hangShare = 0.3;

/** Waits until so many more changes have been acknowledged. */
const progress = (journal: Journal, changes: number, after: string) => {
  const goal = journal.changes + changes;
  return until(`${changes} changes acknowledged after ${after}`, () => journal.changes >= goal);
};

/** Kills every part once, stores included, or has it hang, in a random order, each when the last blow has been got over. */
export async function strikeInTurn(
  talpa: Talpa,
  random: Random,
  journal: Journal,
  blows: Blows,
): Promise<void> {
  for (const part of random.shuffle([...talpa.parts.keys()])) {
    await progress(journal, changesBetween, 'the blow before');
    const pid = pidOf(talpa, part);
    const blow = random.chance(hangShare) ? 'hung' : 'killed';
    const struckAt = Date.now();
    if (blow === 'killed') process.kill(pid, 'SIGKILL');
    else signalAll(pid, 'SIGSTOP');
    await until(`${part} runs again`, () => {
      const now = talpa.parts.get(part)?.pid();
      return now && now !== pid;
    });
    if (part === talpa.partOf('tunnel-provider')?.name) await disturbProvider(talpa);
    await progress(journal, 1, `${part} was ${blow}`);
    blows.push({ part, blow, recoveryMs: Date.now() - struckAt });
  }
}

const stalled = ['postgres', 'nats', 'redis'] as const;
const stalls = 6;
const stallMs = 400;

/**
 * Lets each store in turn stand still again and again, too briefly to count as hanging: what others see of a disk that
 * does not keep up.
 */
export async function stallStores(talpa: Talpa, journal: Journal): Promise<void> {
  for (const part of stalled) {
    for (let stall = 0; stall < stalls; stall += 1) {
      const pid = pidOf(talpa, part);
      signalAll(pid, 'SIGSTOP');
      await pause(stallMs);
      signalAll(pid, 'SIGCONT');
      await progress(journal, 1, `${part} stood still`);
    }
  }
}

export function pidOf(talpa: Talpa, part: string): number {
  const pid = talpa.partOf(part)?.pid();
  if (!pid) throw new Error(`${part} does not run`);
  return pid;
}

/** Signals a process and all it has started, those that have ended meanwhile left out. */
function signalAll(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const one of [pid, ...descendantsOf(pid)]) {
    try {
      process.kill(one, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
