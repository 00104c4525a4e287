import { expect, it } from 'vitest';
import { type Lane, slotMs, slotsCounted, slotsSpread, Window } from './window.ts';

function windowAt(start = 0) {
  const clock = { now: start };
  const window = new Window(() => clock.now);
  const allowance = { all: 100, background: 64 };
  /** How many of so many calls may go now. */
  const go = (lane: Lane, tries: number) => {
    let gone = 0;
    for (let call = 0; call < tries && window.waitFor(lane, allowance) === 0; call += 1) {
      window.count(lane);
      gone += 1;
    }
    return gone;
  };
  return { clock, go, waitFor: (lane: Lane) => window.waitFor(lane, allowance) };
}

it('people may make all calls of a window at once, then none until the first have left it', () => {
  const { clock, go, waitFor } = windowAt(5_000);
  expect(go('interactive', 200)).toBe(100);
  expect(waitFor('interactive')).toBe(slotMs - 5_000);
  clock.now = slotMs;
  expect(go('interactive', 200)).toBe(0);
  expect(waitFor('interactive')).toBe(slotMs);
  clock.now = slotMs * slotsCounted - 1;
  expect(go('interactive', 200)).toBe(0);
  clock.now = slotMs * slotsCounted;
  expect(go('interactive', 200)).toBe(100);
});

it('calls of the background are spread over a window and leave its reserve to people', () => {
  const { clock, go, waitFor } = windowAt();
  expect(go('background', 200)).toBe(7);
  expect(waitFor('background')).toBe(slotMs);
  clock.now = slotMs * (slotsSpread - 1);
  expect(go('background', 200)).toBe(0);
  clock.now = slotMs * slotsSpread;
  expect(go('background', 200)).toBe(7);
  expect(go('interactive', 60)).toBe(60);
  // What people have called counts against the background's part too.
  clock.now = slotMs * 2 * slotsSpread;
  expect(go('background', 200)).toBe(0);
  expect(go('interactive', 200)).toBe(26);
});

it('calls of people do not hurry the background', () => {
  const { go } = windowAt();
  expect(go('interactive', 20)).toBe(20);
  expect(go('background', 200)).toBe(7);
});
