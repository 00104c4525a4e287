import { afterEach, expect, it, vi } from 'vitest';
import type { Log } from '../log.ts';
import { createEvery } from './every.ts';

const undos: (() => Promise<unknown>)[] = [];
const warn = vi.fn();
const every = () => createEvery({ warn } as unknown as Log, (_step, undo) => void undos.push(undo));
const stop = async () => {
  for (const undo of undos.splice(0)) await undo();
};
afterEach(async () => {
  await stop();
  vi.useRealTimers();
  warn.mockClear();
});
const options = { failed: 'the work failed, retrying' };

it('a run that takes longer than the interval is never overlapped by the next', async () => {
  vi.useFakeTimers();
  const ends: (() => void)[] = [];
  every()(10, () => new Promise<void>((resolve) => void ends.push(resolve)), options);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(10);
  expect(ends).toHaveLength(2);
  ends[1]?.();
});

it('a failed run is logged and repeated, sooner where that is wanted', async () => {
  vi.useFakeTimers();
  let runs = 0;
  const fail = async () => {
    runs += 1;
    throw new Error('no connection');
  };
  every()(1_000, fail, { ...options, retryMs: 10 });
  await vi.advanceTimersByTimeAsync(25);
  expect(runs).toBe(3);
  expect(warn).toHaveBeenCalledWith({ err: expect.any(Error) }, options.failed);
});

it('the first run waits for an interval where that is wanted', async () => {
  vi.useFakeTimers();
  const work = vi.fn(async () => {});
  every()(50, work, { ...options, delayed: true });
  await vi.advanceTimersByTimeAsync(49);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledOnce();
});

it('a stop aborts and awaits the present run, starts none after it and logs nothing', async () => {
  vi.useFakeTimers();
  let runs = 0;
  let ended = false;
  const work = (signal: AbortSignal) => {
    runs += 1;
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        ended = true;
        reject(signal.reason);
      }),
    );
  };
  every()(10, work, options);
  await stop();
  expect(ended).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);
  expect(warn).not.toHaveBeenCalled();
});

it('runs that hang hold up the stop for two seconds, however many they are', async () => {
  vi.useFakeTimers();
  const each = every();
  const hang = () => new Promise(() => {});
  for (let index = 0; index < 5; index += 1) each(10, hang, options);
  const stopped = stop();
  await vi.advanceTimersByTimeAsync(2_000);
  await stopped;
});
