import { frame } from '@talpa/test-kit/frames';
import { bytesLeftBy } from '@talpa/test-kit/memory';
import { expect, it } from 'vitest';
import { FrameReader } from './frame-reader.ts';

it('holds no more of a payload that comes byte by byte than the payload', async () => {
  const payloads: string[] = [];
  const taker = {
    onDataBegin: () => {},
    onData: () => {},
    onDataEnd: () => {},
    onFrame: ({ payload }: { payload: Buffer }) => void payloads.push(payload.toString('latin1')),
  };
  const sent = frame(1, 4, 1, Buffer.alloc(65_536, 'abc'));
  const readers: FrameReader[] = [];
  const left = await bytesLeftBy(() => {
    const reader = new FrameReader(taker, 65_536, null);
    readers.push(reader);
    for (let at = 0; at < sent.length - 1; at += 1) reader.push(sent.subarray(at, at + 1));
  });
  expect(left).toBeLessThan(4 * 1_048_576);
  for (const reader of readers) reader.push(sent.subarray(-1));
  expect(payloads).toEqual(Array(2).fill(sent.toString('latin1', 9)));
});
