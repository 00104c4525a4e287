import { randomFrom } from '@talpa/test-kit/requests/random';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holdStream } from './connection.ts';

/** The browser’s part: a stream is open, connecting again by itself, or closed for good. */
class Stream {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  static get last(): Stream {
    return Stream.all.at(-1) as Stream;
  }
  static get living(): Stream[] {
    return Stream.all.filter(({ readyState }) => readyState !== Stream.CLOSED);
  }
  readyState = Stream.CONNECTING;
  onmessage = (_event: { data: string }) => {};
  onerror = () => {};
  constructor() {
    Stream.all.push(this);
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
  say(type: string) {
    this.readyState = Stream.OPEN;
    this.onmessage({ data: JSON.stringify({ type }) });
  }
  fail(readyState: number) {
    this.readyState = readyState;
    this.onerror();
  }
}

let leave = () => {};
let share = 0;
const said: unknown[] = [];
let refusals = 0;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('window', new EventTarget());
  vi.spyOn(Math, 'random').mockImplementation(() => share);
  Stream.all = [];
  said.length = 0;
  refusals = 0;
  leave = holdStream({ message: ({ type }) => said.push(type), live: (isLive) => said.push(isLive) }, () => {
    refusals += 1;
  });
});
afterEach(() => {
  leave();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a stream that is refused again and again is opened more and more seldom, up to twice a minute', () => {
  const pauses = [1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1_000);
  for (const [failures, pause] of pauses.entries()) {
    // Half of it is left to chance, so that browsers do not come back together.
    share = failures % 2 ? 0 : 0.999_999;
    const wait = Math.floor(pause * (0.5 + share / 2));
    Stream.last.fail(Stream.CLOSED);
    expect(Stream.living).toEqual([]);
    vi.advanceTimersByTime(wait - 1);
    expect([failures, Stream.all.length]).toEqual([failures, failures + 1]);
    vi.advanceTimersByTime(2);
    expect([failures, Stream.all.length]).toEqual([failures, failures + 2]);
  }
  expect(refusals).toBe(pauses.length);
});

it.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'whatever happens to it, there is one stream at most, none too early, and none after leaving (seed %i)',
  (seed) => {
    const random = randomFrom(seed);
    let failures = 0;
    /** Between these moments the timer opens the next one. */
    let [earliest, latest] = [0, 0];
    for (let step = 0; step < 200; step++) {
      share = random.fraction() * 0.999;
      const count = Stream.all.length;
      const stream = Stream.last;
      const what = random.pick([
        'message',
        'message',
        'refused',
        'refused',
        'broken',
        'ended',
        'online',
        'wait',
      ]);
      if (stream.readyState === Stream.CLOSED || what === 'wait' || what === 'online') {
        if (what === 'online') window.dispatchEvent(new Event('online'));
        else vi.advanceTimersByTime(random.below(40_000));
        const isTimer = what !== 'online' && stream.readyState === Stream.CLOSED;
        if (isTimer && Date.now() < earliest) expect(Stream.living).toEqual([]);
        else if (!isTimer || Date.now() >= latest) expect(Stream.living).toHaveLength(1);
      } else if (what === 'message') {
        stream.say('totals');
        failures = 0;
      } else if (what === 'broken') stream.fail(Stream.CONNECTING);
      else {
        if (what === 'refused') stream.fail(Stream.CLOSED);
        else {
          stream.say('sessionEnded');
          failures = 0;
        }
        latest = Date.now() + Math.min(1_000 * 2 ** failures, 30_000);
        earliest = (Date.now() + latest) / 2;
        failures += 1;
        vi.advanceTimersByTime(earliest - Date.now() - 1);
        expect(Stream.all).toHaveLength(count);
      }
      expect(Stream.living.length).toBeLessThanOrEqual(1);
    }
    // It comes back in the end.
    if (Stream.last.readyState === Stream.CLOSED) vi.advanceTimersByTime(30_000);
    expect(Stream.living).toHaveLength(1);
    if (random.chance(0.5)) Stream.last.fail(Stream.CLOSED);
    const count = Stream.all.length;
    leave();
    window.dispatchEvent(new Event('online'));
    vi.advanceTimersByTime(120_000);
    expect([Stream.all.length, Stream.living.length]).toEqual([count, 0]);
  },
);

it('is live from the first message on, which is none itself, until it breaks', () => {
  const stream = Stream.last;
  stream.say('refetch');
  stream.say('totals');
  stream.fail(Stream.CONNECTING);
  expect(said).toEqual([true, 'totals', false]);
});
