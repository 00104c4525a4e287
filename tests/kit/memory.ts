import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Bytes that a second round of the same work leaves in memory. The first round fills what may be filled
 * (bounded caches, compiled code), so that only what grows with each round is counted.
 * @param work gets 0, then 1, so that the rounds can use different names.
 */
export async function bytesLeftBy(work: (round: number) => unknown): Promise<number> {
  await work(0);
  const before = await bytesInUse();
  await work(1);
  return (await bytesInUse()) - before;
}

/** One collection frees buffers of earlier ones only later: collects until nothing more is freed. */
async function bytesInUse(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (;;) {
    collectGarbage();
    await setImmediate();
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external > least - 65_536) return Math.min(least, heapUsed + external);
    least = heapUsed + external;
  }
}
