import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '@talpa/instance/part';
import { activityOf, wasActive } from './activity.ts';

/** How long a part may take to become ready, and how long a store that recovers may be idle. */
export interface StartLimits {
  readonly readyMs: number;
  readonly idleMs: number;
}

/** A store became idle before it was ready. */
export class HungAtStart extends Error {
  constructor(ms: number) {
    super(`it hangs: it has done nothing for ${ms / 1_000} s and is not ready`);
  }
}

/** Resolves with what a started process reports once it is ready. Rejects if it ends before that or takes too long. */
export async function untilReady<Facts>(
  part: Pick<Part<Facts>, 'ready' | 'recovers' | 'signal'>,
  child: ChildProcess,
  limits: StartLimits,
  sayWaiting: (seconds: number) => void,
): Promise<Facts> {
  const settled = new AbortController();
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error('it was stopped'));
    if (part.signal?.aborted) giveUp();
    part.signal?.addEventListener('abort', giveUp, { signal: settled.signal });
  });
  try {
    return await Promise.race([
      part.ready(child, settled.signal),
      new Promise<never>((_, reject) => {
        child.once('error', reject);
        child.once('exit', (code, signal) => reject(new Error(`it ended (${signal ?? `code ${code}`})`)));
      }),
      givenUp,
      untilLate(part.recovers ? (child.pid ?? null) : null, limits, sayWaiting, settled.signal),
    ]);
  } finally {
    settled.abort();
  }
}

/**
 * Rejects when a part has taken too long to start. A store that recovers may take as long as it is active; a line on the console
 * repeats that the launcher waits for it.
 * @param recovering the store's process; null for any other part
 */
async function untilLate(
  recovering: number | null,
  { readyMs, idleMs }: StartLimits,
  sayWaiting: (seconds: number) => void,
  signal: AbortSignal,
): Promise<never> {
  let seen = recovering === null ? null : activityOf(recovering);
  // It counts turns rather than seconds: the machine may have slept.
  for (let turns = 1, idleTurns = 1; ; turns += 1, idleTurns += 1) {
    await sleep(readyMs, undefined, { signal });
    if (recovering === null || !seen) throw new Error(`it was not ready after ${readyMs / 1_000} s`);
    const now = activityOf(recovering);
    if (wasActive(seen, now, idleMs)) {
      seen = now;
      idleTurns = 0;
    } else if (idleTurns * readyMs >= idleMs) throw new HungAtStart(idleMs);
    sayWaiting((turns * readyMs) / 1_000);
  }
}
