import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { patienceMs } from './lengths.ts';

/**
 * Waits until a condition gives something true-ish, and gives that. It asks every 25 ms at first, and after two seconds
 * more and more seldom, up to four times a second: asking takes processor time from what is waited for.
 * @throws Error naming what never came, after `timeoutMs`.
 */
export async function until<T>(
  what: string,
  condition: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  timeoutMs = patienceMs,
): Promise<T> {
  const start = Date.now();
  const end = start + timeoutMs;
  let last: unknown;
  while (Date.now() < end) {
    try {
      const value = await condition();
      if (value) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    await sleep(Math.min(Math.max(25, (Date.now() - start) / 80), 250));
  }
  throw new Error(`It never came: ${what} (last: ${String(last)})`);
}

/**
 * A caller that waits a second at most for projections to apply a change waits for that alone: a response that comes has
 * waited for it. Until `vi.unstubAllGlobals`.
 */
export function waitForProjectionsAlone(): void {
  changeWaits(1_000, 60_000);
}

/** A caller that waits for so many ms waits for a moment. Until `vi.unstubAllGlobals`. */
export function shortenWaits(ms: number): void {
  changeWaits(ms, 50);
}

/**
 * Waits for the end of what a hook stops: a hook that hangs says neither what it waits for nor what holds that open.
 * @throws Error naming both
 */
export async function stopped(what: string, work: Promise<unknown> | undefined): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () =>
    reject(new Error(`${what} does not stop; the process has open: ${process.getActiveResourcesInfo()}`));
  const timer = setTimeout(giveUp, patienceMs);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/**
 * Holds jobs still that come every so many ms, where they are started or wait meanwhile: what is seen then has another
 * cause.
 * @returns what ends that: `onTestFinished(holdJobs(5_000))`
 */
export function holdJobs(ms: number): () => void {
  changeWaits(ms, heldMs);
  const real = setInterval;
  const held = (work: () => void, every?: number, ...more: []) =>
    real(work, every === ms ? heldMs : every, ...more);
  vi.stubGlobal('setInterval', Object.assign(held, real));
  return () => void vi.unstubAllGlobals();
}
const heldMs = 24 * 3_600_000;

function changeWaits(from: number, to: number): void {
  const real = setTimeout;
  const changed = (work: () => void, ms?: number, ...more: []) =>
    real(work, ms === from ? to : ms, ...more).unref();
  vi.stubGlobal('setTimeout', Object.assign(changed, real));
}
