import { afterEach, expect, it, vi } from 'vitest';
import { giveBackMemory } from './give-back.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A process with this much heap that has used so much processor time, as a test sets them. */
function observed() {
  vi.useFakeTimers();
  const state = { heap: 100, usedMs: 0 };
  const gc = vi.fn();
  vi.stubGlobal('gc', gc);
  vi.spyOn(process, 'memoryUsage').mockImplementation((() => ({ heapTotal: state.heap })) as never);
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: state.usedMs * 1_000, system: 0 }));
  return { state, gc };
}

it('memory is given back after the start, and after work once it is over, but not during it', () => {
  const { state, gc } = observed();
  giveBackMemory();
  vi.advanceTimersByTime(2_999);
  expect(gc).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(gc).toHaveBeenCalledOnce();
  // At rest, with nothing to give back.
  vi.advanceTimersByTime(600_000);
  expect(gc).toHaveBeenCalledOnce();
  state.heap = 200;
  for (let minute = 0; minute < 5; minute += 1) {
    state.usedMs += 10_000;
    vi.advanceTimersByTime(60_000);
  }
  expect(gc).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(60_000);
  expect(gc).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(600_000);
  expect(gc).toHaveBeenCalledTimes(2);
});

it('a process that was not started for a small machine is left alone', () => {
  const { state } = observed();
  vi.stubGlobal('gc', undefined);
  giveBackMemory();
  state.heap = 1_000;
  expect(() => vi.advanceTimersByTime(600_000)).not.toThrow();
  expect(vi.getTimerCount()).toBe(0);
});
