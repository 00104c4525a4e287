import type { Log } from '../log.ts';

export interface EveryOptions {
  /** What the log says when a run has failed. */
  readonly failed: string;
  /** Of the log line; `debug` for failures that others report already. */
  readonly level?: 'debug' | 'warn';
  /** The first run is one interval from now, not now. */
  readonly delayed?: boolean;
  /** A failed run is repeated after this time, if that is sooner. */
  readonly retryMs?: number;
}

/**
 * Runs work now and then again an interval after each run has ended, so that runs never overlap. A failed run is logged and
 * repeated. When the process stops, the signal is aborted and the present run is awaited.
 */
export type Every = (
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  options: EveryOptions,
) => void;

/** A run that waits for a store that is down must not hold up the stop: whatever it did is repeated at the next start. */
const graceMs = 2_000;

/** @param onStop registers a step of the process's stop */
export function createEvery(log: Log, onStop: (step: string, undo: () => Promise<unknown>) => void): Every {
  const stopping = new AbortController();
  const { signal } = stopping;
  let graceOver: Promise<unknown> | undefined;

  return (intervalMs, work, { failed, level = 'warn', delayed = false, retryMs = intervalMs }) => {
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    const run = async () => {
      let delay = intervalMs;
      try {
        await work(signal);
      } catch (error) {
        delay = Math.min(intervalMs, retryMs);
        if (!signal.aborted) log[level]({ err: error }, failed);
      }
      if (!signal.aborted) timer = setTimeout(start, delay);
    };
    const start = () => {
      running = run();
    };
    if (delayed) timer = setTimeout(start, intervalMs);
    else start();
    onStop(failed, async () => {
      // All of them at once: together they wait no longer than one.
      stopping.abort(new Error('the process stops'));
      clearTimeout(timer);
      graceOver ??= new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      await Promise.race([running, graceOver]);
    });
  };
}
