import { expect, it } from 'vitest';
import { type Outcome, runAll } from './run-all.ts';

const items = Array.from({ length: 30 }, (_, at) => at);
const nothing = () => {};

it('does each item once, some at a time, and names every failure with its reason', async () => {
  let running = 0;
  let most = 0;
  const seen: number[] = [];
  const work = async (item: number) => {
    seen.push(item);
    running += 1;
    most = Math.max(most, running);
    await new Promise((done) => setImmediate(done));
    running -= 1;
    if (item % 10 === 3) throw new Error(`kein ${item}`);
  };
  const reported: Outcome<number>[] = [];
  const { signal } = new AbortController();
  const outcome = await runAll(items, work, { signal, progress: (now) => reported.push(now) });
  expect(seen.sort((a, b) => a - b)).toEqual(items);
  expect(most).toBe(4);
  expect(outcome.failed.map(({ item, reason }) => [item, reason])).toEqual([
    [3, 'kein 3'],
    [13, 'kein 13'],
    [23, 'kein 23'],
  ]);
  expect([outcome.done.length, outcome.left]).toEqual([27, []]);
  expect(reported).toHaveLength(30);
});

it('stopped, it ends what it has begun, begins nothing more, and says what is left', async () => {
  const control = new AbortController();
  const work = async (item: number) => {
    if (item === 5) control.abort();
  };
  const { done, failed, left } = await runAll(items, work, { signal: control.signal, progress: nothing });
  expect(failed).toEqual([]);
  expect(done).toContain(5);
  expect(left.length).toBeGreaterThan(0);
  expect([...done, ...left].sort((a, b) => a - b)).toEqual(items);
});
