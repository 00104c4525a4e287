import { afterEach, expect, it, vi } from 'vitest';
import { disturbing, doubtMs, Known } from './known.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('what may have happened is not settled while calls are held up, nor before the longest deadline after that', async () => {
  vi.useFakeTimers();
  const disturbance = { disturbedUntil: 0 };
  const plan = new Known('basic', disturbance);
  await disturbing(disturbance, async () => {
    plan.maybe('premium');
    vi.advanceTimersByTime(10 * doubtMs);
    expect(plan.mayBeSettled).toBe(false);
  });
  vi.advanceTimersByTime(doubtMs - 1);
  expect(plan.mayBeSettled).toBe(false);
  vi.advanceTimersByTime(1);
  expect(plan.mayBeSettled).toBe(true);
  expect(plan.possible).toEqual(['basic', 'premium']);
});

it('a change that was acknowledged while messages are held up may be unknown elsewhere, and at no other time', async () => {
  vi.useFakeTimers();
  const disturbance = { disturbedUntil: 0 };
  const plan = new Known('basic', disturbance);
  await disturbing(disturbance, async () => plan.is('premium'));
  expect([plan.possible, plan.inProjections]).toEqual([['premium'], ['basic', 'premium']]);
  vi.advanceTimersByTime(doubtMs);
  plan.is('free');
  expect([plan.possible, plan.inProjections]).toEqual([['free'], ['free']]);
});
