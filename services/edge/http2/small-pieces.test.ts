import { frame } from '@talpa/test-kit/frames';
import { ok, Peer, settings, turn } from '@talpa/test-kit/http2-peer';
import { expect, it } from 'vitest';

const [data, headers, reset] = [0, 1, 3];
const [endStream, endHeaders] = [1, 4];
const respond = (streamId: number) => frame(headers, endHeaders, streamId, ok);
const byte = (streamId: number, text: string, flags = 0) => frame(data, flags, streamId, Buffer.from(text));

/** A peer with requests that have responses, and in which pieces each body is given. */
async function peerWith(requests: number) {
  const peer = new Peer();
  await peer.send(settings);
  const given = Array.from({ length: requests }, () => {
    const { stream, recorder } = peer.request();
    const pieces: string[] = [];
    const take = recorder.onData.bind(recorder);
    recorder.onData = (piece) => {
      pieces.push(piece.toString('latin1'));
      take(piece);
    };
    return { stream, recorder, pieces };
  });
  await peer.send(...given.map(({ stream }) => respond(stream.id)));
  return { peer, given };
}

it('a body of single bytes is given in one piece for what is there at once', async () => {
  const { peer, given } = await peerWith(2);
  const frames = Array.from({ length: 3_000 }, (_, index) =>
    byte(index % 2 === 0 ? 1 : 3, String(index % 10)),
  );
  await peer.send(...frames);
  expect(given.map(({ recorder }) => recorder.body)).toEqual(['02468'.repeat(300), '13579'.repeat(300)]);
  expect(given.map(({ pieces }) => pieces.length)).toEqual([1, 1]);
});

it('a single byte does not wait for another one', async () => {
  const { peer, given } = await peerWith(1);
  for (const text of ['a', 'b', 'c']) {
    peer.socket.push(byte(1, text));
    // Not even for the end of the turn: it is given while it is read.
    await Promise.resolve().then(() => new Promise<void>((done) => process.nextTick(done)));
  }
  expect(given[0]?.pieces).toEqual(['a', 'b', 'c']);
});

it('small and large pieces come in their order, before the end, trailers and a reset', async () => {
  const { peer, given } = await peerWith(3);
  const large = 'L'.repeat(5_000);
  await peer.send(
    ...[byte(1, 'a'), byte(1, 'b'), byte(1, large), byte(1, 'c', endStream)],
    ...[
      byte(3, 'x'),
      byte(3, 'y'),
      frame(headers, endHeaders | endStream, 3, Buffer.from([0, 1, 97, 1, 98])),
    ],
    ...[byte(5, 'p'), byte(5, 'q'), frame(reset, 0, 5, Buffer.from([0, 0, 0, 2]))],
  );
  expect(given.map(({ pieces }) => pieces)).toEqual([['ab', large, 'c'], ['xy'], ['pq']]);
  expect(given.map(({ recorder }) => recorder.events.slice(1))).toEqual([
    ['end', 'close'],
    ['trailers {"a":"b"}', 'end', 'close'],
    ['close'],
  ]);
});

it('what has come in small pieces before a fault of the connection is still given', async () => {
  const { peer, given } = await peerWith(1);
  await peer.send(byte(1, 'a'), byte(1, 'b'), byte(0, 'fault'));
  expect(given[0]?.pieces).toEqual(['ab']);
  expect(given[0]?.recorder.events.at(-1)).toBe('close');
});

it('a receiver that pauses within small pieces gets the rest when it resumes', async () => {
  const { peer, given } = await peerWith(1);
  const [one] = given;
  const take = one?.recorder.onData;
  if (!one || !take) throw new Error('there is no request');
  one.recorder.onData = (piece) => {
    one.stream.pause();
    take(piece);
  };
  await peer.send(byte(1, 'a'), byte(1, 'L'.repeat(2_000)), byte(1, 'b'), byte(1, 'c', endStream));
  expect(one.pieces.join('').length).toBe(1);
  for (let count = 0; count < 3; count += 1) one.stream.resume();
  expect(one.recorder.body).toBe(`a${'L'.repeat(2_000)}bc`);
  expect(one.recorder.events.slice(1)).toEqual(['end', 'close']);
});

it('what is written in single bytes leaves in one frame of each turn', async () => {
  const { peer } = await peerWith(0);
  const { stream } = peer.request(false);
  for (let count = 0; count < 3; count += 1) {
    for (let index = 0; index < 1_000; index += 1) stream.write(Buffer.from('x'));
    await turn();
  }
  expect(peer.ofType(data).map(({ payload }) => payload.length)).toEqual([1_000, 1_000, 1_000]);
});
