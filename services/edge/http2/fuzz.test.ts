import { blockFrames, frame, headFrames } from '@talpa/test-kit/frames';
import { ok, Peer, settings, turn } from '@talpa/test-kit/http2-peer';
import { expect, it } from 'vitest';
import { ConnectionError } from './errors.ts';
import { FrameReader } from './frame-reader.ts';
import { decodeFields } from './hpack/decode.ts';

/** `FUZZ_INPUTS=1000000` for the long run. */
const inputs = Number(process.env.FUZZ_INPUTS ?? 5_000);

/** A generator of numbers below a limit that can be repeated (xorshift). */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

const frames = [
  settings,
  frame(1, 4, 1, ok),
  frame(1, 5, 3, ok),
  frame(0, 0, 1, Buffer.from('body')),
  frame(0, 9, 1, Buffer.from([2, 1, 2, 3])),
  frame(3, 0, 1, Buffer.from([0, 0, 0, 8])),
  frame(4, 0, 0, Buffer.from([0, 4, 0, 1, 0, 0])),
  frame(6, 0, 0, Buffer.alloc(8, 1)),
  frame(7, 0, 0, Buffer.from([0, 0, 0, 9, 0, 0, 0, 0])),
  frame(8, 0, 0, Buffer.from([0, 0, 1, 0])),
  frame(8, 0, 1, Buffer.from([0, 0, 1, 0])),
  headFrames(5, 'Q29udGVudC1UeXBl:dGV4dC9odG1s'),
  blockFrames(7, Buffer.alloc(20_000, 0x88)),
];

/** Some frames, with some bytes changed, inserted or left out. */
function mutated(random: (limit: number) => number): Buffer {
  const picked = Array.from({ length: 1 + random(6) }, () => frames[random(frames.length)] as Buffer);
  let bytes = Buffer.from(Buffer.concat(picked));
  for (let count = random(4); count > 0; count -= 1) {
    const at = random(bytes.length);
    if (random(3) > 0) bytes[at] = random(256);
    else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(3))]);
  }
  return bytes;
}

it('whatever a peer sends, nothing is thrown and no request stays without an end', async () => {
  const random = randomFrom(20_261_125);
  for (let input = 0; input < inputs; input += 100) {
    const peers: Peer[] = [];
    for (let index = 0; index < 100; index += 1) {
      const peer = new Peer();
      peers.push(peer);
      for (let count = 0; count < 4; count += 1) {
        const { stream } = peer.request(random(2) === 0);
        if (random(4) === 0) stream.pause();
        if (random(4) === 0) stream.write(Buffer.alloc(random(70_000)));
      }
      const bytes = Buffer.concat([random(10) === 0 ? Buffer.alloc(0) : settings, mutated(random)]);
      const cut = random(bytes.length + 1);
      peer.socket.push(bytes.subarray(0, cut));
      peer.socket.push(bytes.subarray(cut));
    }
    await turn();
    for (const peer of peers) {
      peer.http2.destroy();
      expect(peer.http2.openStreams).toBe(0);
      peer.socket.destroy();
    }
  }
});

it('whatever a block of HPACK is, it is decoded or refused', () => {
  const random = randomFrom(7_541);
  for (let input = 0; input < inputs; input += 1) {
    const block = Buffer.from(Array.from({ length: random(60) }, () => random(256)));
    try {
      decodeFields(block, 1_000);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
  }
});

it('reads the same frames in whatever pieces they arrive', () => {
  const bytes = Buffer.concat(frames.filter((_, at) => at !== 4));
  const read = (size: number) => {
    const taken: string[] = [];
    let content = '';
    const reader = new FrameReader(
      {
        onFrame: ({ type, flags, streamId, payload }) =>
          taken.push([type, flags, streamId, payload.toString('hex')].join(' ')),
        onDataBegin: (streamId, length) => taken.push(`begin ${streamId} ${length}`),
        onData: (_streamId, piece) => {
          content += piece.toString('hex');
        },
        onDataEnd: (streamId, endsStream) => taken.push(`end ${streamId} ${endsStream}`),
      },
      65_536,
      null,
    );
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    return [...taken, content];
  };
  const whole = read(bytes.length);
  expect(whole.length).toBeGreaterThan(frames.length);
  for (const size of [1, 2, 8, 9, 10, 11, 1_000]) expect(read(size)).toEqual(whole);
});
