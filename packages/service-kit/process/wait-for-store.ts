import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';

const pauseMs = 250;

/**
 * Connects to a store for the first time. A store that cannot be reached may be starting as well, or may be restarted just now:
 * the process waits for it rather than end.
 * @param isAway whether a failure says only that the store cannot be reached; any other one ends the wait
 * @param patienceMs shorter than the launcher waits for a process
 * @throws the last failure
 */
export async function waitForStore<T>(
  store: string,
  connect: () => Promise<T>,
  isAway: (error: unknown) => boolean,
  log: Log,
  patienceMs = 20_000,
): Promise<T> {
  const givesUpAt = Date.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false)
    try {
      return await connect();
    } catch (error) {
      if (!isAway(error) || Date.now() >= givesUpAt) throw error;
      if (isFirst)
        log.warn({ err: error }, `${store} cannot be reached: waiting up to ${patienceMs / 1_000} s for it`);
      await sleep(pauseMs);
    }
}
