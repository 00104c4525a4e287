import { expect, it } from 'vitest';
import { createFrameReader, frameOf, frameTypes } from './inquiry-frames.ts';

function reading() {
  const seen: string[] = [];
  const read = createFrameReader({
    text: (message) => void seen.push(message.length > 50 ? `text of ${message.length}` : message),
    pong: () => void seen.push('pong'),
    broken: () => void seen.push('broken'),
  });
  return { seen, read };
}
const fromServer = (first: number, payload: string) => {
  const bytes = Buffer.from(payload);
  const { length } = bytes;
  const head = length < 126 ? [first, length] : [first, 126, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), bytes]);
};

it('reads whole frames, however they are cut, and knows which are pongs', () => {
  const bytes = Buffer.concat([
    fromServer(0x81, 'ab'),
    fromServer(0x8a, ''),
    fromServer(0x81, 'x'.repeat(1_000)),
    fromServer(0x89, 'a ping'),
    fromServer(0x81, 'end'),
  ]);
  for (const size of [1, 2, 3, 7, 500, bytes.length]) {
    const { seen, read } = reading();
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
    expect(seen, `${size}`).toEqual(['ab', 'pong', 'text of 1000', 'end']);
  }
});

it('gives up at what no connector sends: a frame that is too long, a masked one, a text that its reader refuses', () => {
  for (const bytes of [Buffer.from([0x81, 127, 0, 0]), frameOf(frameTypes.text, 'ab')]) {
    const { seen, read } = reading();
    read(bytes);
    expect(seen).toContain('broken');
  }
  const seen: string[] = [];
  const read = createFrameReader({
    text: (message) => void JSON.parse(message),
    pong: () => {},
    broken: () => void seen.push('broken'),
  });
  read(fromServer(0x81, '{'));
  expect(seen).toEqual(['broken']);
});

it('sends frames that a server can read: masked, each in its own way', () => {
  const [one, other] = [frameOf(frameTypes.text, 'Hello'), frameOf(frameTypes.text, 'Hello')];
  expect(one).not.toEqual(other);
  expect([...one.subarray(0, 2)]).toEqual([0x81, 0x85]);
  const mask = one.subarray(2, 6);
  expect(String(one.subarray(6).map((byte, index) => byte ^ (mask[index % 4] as number)))).toBe('Hello');
});
