import { blockFrames, frame } from '@talpa/test-kit/frames';
import { expect, it } from 'vitest';
import { HeaderLimiter, oversizedHeader } from './header-limiter.ts';

const [data, headers, continuation] = [0, 1, 9];

/** A head of so many bytes. */
function head(streamId: number, size: number, first = 0x88, flags = 0): Buffer {
  const block = Buffer.alloc(size, 0x61);
  block[0] = first;
  return blockFrames(streamId, block, flags);
}

/** What comes out when the bytes come in pieces of that size. */
function through(bytes: Buffer, size: number): Buffer {
  const passed: Buffer[] = [];
  const limiter = new HeaderLimiter((piece) => passed.push(piece));
  for (let at = 0; at < bytes.length; at += size) limiter.take(bytes.subarray(at, at + size));
  return Buffer.concat(passed);
}

const before = Buffer.concat([
  frame(data, 0, 1, Buffer.alloc(20_000, 7)),
  head(3, 100),
  head(5, 65_536),
  frame(data, 0, 1, Buffer.from('the last')),
]);
const after = Buffer.concat([frame(data, 1, 7, Buffer.from('whole')), frame(4, 1, 0, Buffer.alloc(0))]);

it.each([1, 8, 9, 10, 1_000, 16_393, 1_000_000])(
  'passes on every byte of heads a connection allows, however they arrive (%d at a time)',
  (size) => {
    const bytes = Buffer.concat([before, after]);
    expect(through(bytes, size).equals(bytes)).toBe(true);
  },
);

it.each([1, 9, 1_000, 1_000_000])(
  'replaces a head that would end the connection, and nothing beside it (%d at a time)',
  (size) => {
    for (const [first, endsStream] of [[0x20, 1] as const, [0x88, 0] as const]) {
      const passed = through(Buffer.concat([before, head(7, 65_537, first, endsStream), after]), size);
      expect(passed.subarray(0, before.length).equals(before)).toBe(true);
      expect(passed.subarray(-after.length).equals(after)).toBe(true);
      const put = passed.subarray(before.length, -after.length);
      expect(put.length).toBe(9 + put.readUIntBE(0, 3));
      expect([put[3], put[4], put.readUInt32BE(5)]).toEqual([headers, 4 | endsStream, 7]);
      expect(put[9] === 0x20).toBe(first === 0x20);
      expect(put.toString('latin1')).toContain(oversizedHeader);
    }
  },
);

it('holds back nothing but a head that is not yet whole', () => {
  const passed: Buffer[] = [];
  const limiter = new HeaderLimiter((piece) => passed.push(piece));
  const one = head(1, 100);
  const piece = frame(data, 0, 1, Buffer.from('piece'));
  for (const bytes of [one, piece, frame(4, 0, 0, Buffer.alloc(6))]) {
    passed.length = 0;
    limiter.take(bytes);
    expect(Buffer.concat(passed).equals(bytes)).toBe(true);
  }
  passed.length = 0;
  const begun = frame(headers, 0, 3, Buffer.from([0x88]));
  limiter.take(begun);
  expect(passed).toEqual([]);
  // This is no HTTP/2: the reader is to see it as it came.
  limiter.take(piece);
  expect(Buffer.concat(passed).equals(Buffer.concat([begun, piece]))).toBe(true);
});

it('counts frames as well as bytes: many small ones would end the connection too', () => {
  const small = (count: number) =>
    Buffer.concat([
      frame(headers, 0, 1, Buffer.from([0x88])),
      ...Array.from({ length: count }, (_, index) =>
        frame(continuation, index === count - 1 ? 4 : 0, 1, Buffer.alloc(0)),
      ),
    ]);
  expect(through(small(8), 50).equals(small(8))).toBe(true);
  expect(through(small(9), 50).toString('latin1')).toContain(oversizedHeader);
});

it('cuts a connector whose head has no end, and holds little of it', () => {
  let passed = 0;
  const limiter = new HeaderLimiter((piece) => {
    passed += piece.length;
  });
  limiter.take(frame(headers, 0, 1, Buffer.from([0x88])));
  const more = frame(continuation, 0, 1, Buffer.alloc(16_384));
  const send = () => {
    for (let count = 0; count < 5_000; count += 1) limiter.take(more);
  };
  expect(send).toThrow('without end');
  const other = new HeaderLimiter(() => {});
  other.take(frame(headers, 0, 1, Buffer.from([0x88])));
  expect(() =>
    other.take(Buffer.concat(Array(10_000).fill(frame(continuation, 0, 1, Buffer.alloc(0))))),
  ).toThrow('without end');
  expect(passed).toBe(0);
});
