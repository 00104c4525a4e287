import { afterEach, expect, it, vi } from 'vitest';
import { shareStream } from './share.ts';

/** The browser’s part, as far as it is needed: the tab that leads has one. */
class Stream {
  static all: Stream[] = [];
  readonly readyState = 1;
  onmessage = (_event: { data: string }) => {};
  constructor() {
    Stream.all.push(this);
  }
  close() {}
}
const leaves: (() => void)[] = [];
afterEach(() => {
  for (const leave of leaves.splice(0)) leave();
  vi.unstubAllGlobals();
});

it('a tab that is opened later is told that there is a stream, and the others are told nothing else', async () => {
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('window', new EventTarget());
  const openTab = () => {
    const told: boolean[] = [];
    leaves.push(shareStream(7, { message: () => {}, live: (isLive) => told.push(isLive) }, () => {}));
    return told;
  };
  const first = openTab();
  await vi.waitFor(() => expect(Stream.all).toHaveLength(1));
  Stream.all[0]?.onmessage({ data: JSON.stringify({ type: 'ready' }) });
  expect(first).toEqual([true]);
  const second = openTab();
  await vi.waitFor(() => expect(second).toEqual([true]));
  const third = openTab();
  await vi.waitFor(() => expect(third).toEqual([true]));
  expect([first, second]).toEqual([[true], [true, true]]);
  expect(Stream.all).toHaveLength(1);
});
