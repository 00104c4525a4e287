import { frame } from '@talpa/test-kit/frames';
import { expect, it } from 'vitest';
import { FrameBudget, framesPerSecond, largeData, rareFrameCost } from './frame-budget.ts';
import { FrameReader } from './http2/frame-reader.ts';

const [data, reset, settings, ping, windowUpdate, unknown] = [0, 3, 4, 6, 8, 99];
const empty = Buffer.alloc(0);
const ignoring = { onFrame: () => {}, onDataBegin: () => {}, onData: () => {}, onDataEnd: () => {} };

/** How many such frames pass before the connector is cut, up to `maximum`. */
function passing(one: Buffer, maximum: number): number {
  const reader = new FrameReader(ignoring, 65_536, new FrameBudget(() => 0));
  for (let count = 0; count < maximum; count += 1)
    try {
      reader.push(one);
    } catch (error) {
      expect(String(error)).toContain('too many small frames');
      return count;
    }
  return maximum;
}

const rare = (2 * framesPerSecond) / rareFrameCost;

it.each([
  ['PING', frame(ping, 0, 0, Buffer.alloc(8)), rare],
  ['SETTINGS', frame(settings, 0, 0, empty), rare],
  ['a frame of an unknown type', frame(unknown, 0, 0, empty), rare],
  ['RST_STREAM', frame(reset, 0, 1, Buffer.alloc(4)), 2 * framesPerSecond],
  ['WINDOW_UPDATE', frame(windowUpdate, 0, 0, Buffer.alloc(4)), 2 * framesPerSecond],
  ['DATA without a byte', frame(data, 0, 1, empty), 2 * framesPerSecond],
  ['DATA of few bytes', frame(data, 0, 1, Buffer.alloc(largeData - 1)), 2 * framesPerSecond],
])('cuts a connector that floods its edge with %s', (_name, one, limit) => {
  expect(passing(one, 3 * framesPerSecond)).toBe(limit);
});

it('does not limit the frames of a large response', () => {
  expect(passing(frame(data, 0, 1, Buffer.alloc(largeData)), 3 * framesPerSecond)).toBe(3 * framesPerSecond);
});

it('restores the budget with time, and never more than that of two seconds', () => {
  let time = 0;
  const budget = new FrameBudget(() => time);
  const spend = (count: number) => {
    budget.refill();
    for (let index = 0; index < count; index += 1) budget.spend(windowUpdate, 4);
  };
  spend(2 * framesPerSecond);
  time += 500;
  spend(framesPerSecond / 2);
  expect(() => spend(1)).toThrow();
  time += 3_600_000;
  spend(2 * framesPerSecond);
  expect(() => spend(1)).toThrow();
});
