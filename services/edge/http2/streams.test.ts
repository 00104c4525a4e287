import { frame } from '@talpa/test-kit/frames';
import { ok, Peer, Recorder, settings, turn } from '@talpa/test-kit/http2-peer';
import { processorTime } from '@talpa/test-kit/processor-time';
import { expect, it, vi } from 'vitest';
import { errorCodes } from './errors.ts';
import { RequestStream } from './stream.ts';

const [data, headers, goAway, windowUpdate, reset] = [0, 1, 7, 8, 3];
const [endStream, endHeaders] = [1, 4];
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const setting = (id: number, value: number) =>
  frame(4, 0, 0, Buffer.concat([Buffer.from([0, id]), uint32(value)]));
const respond = (streamId: number, flags = 0) => frame(headers, endHeaders | flags, streamId, ok);
const sentBytes = (peer: Peer, streamId: number) =>
  peer.ofType(data).reduce((sum, one) => sum + (one.streamId === streamId ? one.payload.length : 0), 0);

it('sends no more than the windows of stream and connection allow, and the rest when they grow', async () => {
  const peer = new Peer();
  await peer.send(settings);
  const { stream, recorder } = peer.request(false);
  expect(stream.write(Buffer.alloc(100_000))).toBe(true);
  expect(stream.write(Buffer.alloc(100_000))).toBe(false);
  stream.end();
  await turn();
  expect(sentBytes(peer, 1)).toBe(65_535);
  await peer.send(frame(windowUpdate, 0, 1, uint32(100_000)));
  expect(sentBytes(peer, 1)).toBe(65_535);
  await peer.send(frame(windowUpdate, 0, 0, uint32(1_000_000)));
  expect(sentBytes(peer, 1)).toBe(165_535);
  expect(recorder.events).toEqual(['drain']);
  await peer.send(setting(4, 100_000));
  expect(sentBytes(peer, 1)).toBe(200_000);
  expect(peer.ofType(data).every(({ payload }) => payload.length <= 16_384)).toBe(true);
  expect(peer.ofType(data).map(({ flags }) => flags & endStream)).toEqual([
    ...Array(peer.ofType(data).length - 1).fill(0),
    endStream,
  ]);
});

it('a window that shrinks below zero sends nothing until it has grown above', async () => {
  const peer = new Peer();
  await peer.send(settings, frame(windowUpdate, 0, 0, uint32(1_000_000)));
  const { stream } = peer.request(false);
  stream.write(Buffer.alloc(100_000));
  await turn();
  await peer.send(setting(4, 0));
  await peer.send(frame(windowUpdate, 0, 1, uint32(65_535)));
  expect(sentBytes(peer, 1)).toBe(65_535);
  await peer.send(frame(windowUpdate, 0, 1, uint32(7)));
  expect(sentBytes(peer, 1)).toBe(65_542);
});

it('a SETTINGS frame changes the windows of its streams once, to the last one that it names', async () => {
  const peer = new Peer();
  await peer.send(settings, frame(windowUpdate, 0, 0, uint32(1_000_000)));
  const streams = Array.from({ length: 512 }, () => peer.request(false).stream);
  const changes = vi.spyOn(RequestStream.prototype, 'growSendWindow');
  const many = Array.from({ length: 10_000 }, (_, number) => [Buffer.from([0, 4]), uint32(70_000 - number)]);
  await peer.send(frame(4, 0, 0, Buffer.concat(many.flat())));
  expect(changes.mock.calls.length).toBe(512);
  changes.mockRestore();
  streams[0]?.write(Buffer.alloc(100_000));
  await turn();
  expect(sentBytes(peer, 1)).toBe(60_001);
});

it('streams send in turn: a large upload does not hold up a small one', async () => {
  const peer = new Peer();
  await peer.send(settings, frame(windowUpdate, 0, 0, uint32(100_000_000)), setting(4, 100_000_000));
  const [large, small] = [peer.request(false), peer.request(false)];
  for (let count = 0; count < 100; count += 1) large.stream.write(Buffer.alloc(65_536));
  small.stream.write(Buffer.from('small'));
  small.stream.end();
  await turn();
  expect(sentBytes(peer, 3)).toBe(5);
  expect(sentBytes(peer, 1)).toBeLessThan(6_553_600);
});

it('keeps no more than its limit on the way to a socket that takes nothing, and goes on when it does', async () => {
  const peer = new Peer();
  await peer.send(settings, frame(windowUpdate, 0, 0, uint32(100_000_000)), setting(4, 100_000_000));
  const { stream } = peer.request(false);
  await turn();
  peer.socket.isStuck = true;
  for (let count = 0; count < 100; count += 1) stream.write(Buffer.alloc(65_536));
  for (let count = 0; count < 20; count += 1) await turn();
  expect(peer.socket.writableLength).toBeLessThan(500_000);
  peer.socket.release();
  for (let count = 0; count < 40; count += 1) await turn();
  expect(sentBytes(peer, 1)).toBe(6_553_600);
});

it('ends a connection whose peer reads nothing before what waits for it fills the memory', async () => {
  const peer = new Peer();
  await peer.send(settings);
  const { recorder } = peer.request();
  peer.socket.isStuck = true;
  const fields = {
    ':method': 'GET',
    ':scheme': 'http',
    ':authority': 'a',
    ':path': `/${'x'.repeat(16_000)}`,
  };
  // Visitors who leave at once: no limit of what runs counts their requests.
  for (let count = 0; count < 1_000 && !peer.http2.closed; count += 1) {
    peer.http2.request(fields, new Recorder(), { endStream: true }).reset(errorCodes.cancel);
    await turn();
  }
  expect([peer.http2.destroyed, recorder.events]).toEqual([true, ['close']]);
  expect(peer.socket.writableLength).toBeLessThan(5_000_000);
});

it('what one connector may not do, an edge may, which passes on what many do: small frames, heads that wait', async () => {
  const small = Buffer.concat(Array(600_000).fill(frame(reset, 0, 1, uint32(8))));
  const fields = {
    ':method': 'GET',
    ':scheme': 'http',
    ':authority': 'a',
    ':path': `/${'x'.repeat(16_000)}`,
  };
  for (const isEdge of [true, false]) {
    const peer = new Peer({ isEdge });
    peer.request();
    await peer.send(settings, small);
    expect(peer.http2.destroyed).toBe(!isEdge);
  }
  const peer = new Peer({ isEdge: true });
  await peer.send(settings);
  peer.socket.isStuck = true;
  for (let count = 0; count < 512; count += 1)
    peer.http2.request(fields, new Recorder(), { endStream: true });
  await turn();
  expect(peer.http2.destroyed).toBe(false);
});

it('joins the small pieces of an upload that waits', async () => {
  const peer = new Peer();
  await peer.send(settings, setting(4, 0));
  const { stream } = peer.request(false);
  const cost = await processorTime(async () => {
    for (let count = 0; count < 100_000; count += 1) stream.write(Buffer.from('x'));
    await peer.send(frame(windowUpdate, 0, 1, uint32(100_000)), frame(windowUpdate, 0, 0, uint32(100_000)));
  });
  expect(sentBytes(peer, 1)).toBe(100_000);
  expect(peer.ofType(data).length).toBeLessThan(100);
  expect(cost).toBeLessThan(1_000);
});

it('looks at no more waiting streams than the peer’s window has room for', async () => {
  const peer = new Peer();
  await peer.send(settings, setting(4, 100_000));
  const streams = Array.from({ length: 512 }, () => peer.request(false).stream);
  for (const [index, stream] of streams.entries()) stream.write(Buffer.alloc(index === 0 ? 65_535 : 100));
  await turn();
  const looks = vi.spyOn(RequestStream.prototype, 'sendSome');
  for (let count = 0; count < 100; count += 1) await peer.send(frame(windowUpdate, 0, 0, uint32(1)));
  expect(looks.mock.calls.length).toBeLessThan(1_000);
  looks.mockRestore();
  await peer.send(frame(windowUpdate, 0, 0, uint32(100_000_000)));
  expect(streams.map(({ id }) => sentBytes(peer, id))).toEqual([65_535, ...Array(511).fill(100)]);
});

it('a paused stream gives nothing and lets the peer send nothing more; resumed, it gives all, then its end', async () => {
  const peer = new Peer();
  const { stream, recorder } = peer.request();
  await peer.send(settings, respond(1), frame(data, 0, 1, Buffer.from('a')));
  stream.pause();
  for (let count = 0; count < 12; count += 1) await peer.send(frame(data, 0, 1, Buffer.alloc(65_536, 'b')));
  await peer.send(frame(headers, endHeaders | endStream, 1, Buffer.from([0, 1, 97, 1, 98])));
  const granted = () => peer.ofType(windowUpdate).filter(({ streamId }) => streamId === 1);
  expect([recorder.body, recorder.events, granted()]).toEqual(['a', ['response 200'], []]);
  stream.resume();
  expect(recorder.body).toBe(`a${'b'.repeat(12 * 65_536)}`);
  expect(recorder.events).toEqual(['response 200', 'trailers {"a":"b"}', 'end', 'close']);
});

it('lets the peer send on as bytes are taken, padding too', async () => {
  const peer = new Peer();
  const { recorder } = peer.request();
  await peer.send(settings, respond(1));
  const padded = frame(
    data,
    8,
    1,
    Buffer.concat([Buffer.from([255]), Buffer.alloc(50_000, 'x'), Buffer.alloc(255)]),
  );
  for (let count = 0; count < 100; count += 1) await peer.send(padded);
  expect(recorder.body.length).toBe(5_000_000);
  const granted = (id: number) =>
    peer
      .ofType(windowUpdate)
      .filter(({ streamId }) => streamId === id)
      .reduce((sum, { payload }) => sum + payload.readUInt32BE(0), 0);
  const sent = 100 * (50_000 + 256);
  expect(granted(1)).toBeGreaterThan(sent - 1_048_576);
  expect(granted(0)).toBeGreaterThan(16_777_216 - 65_535 + sent - 4_194_304 - 65_536);
});

it('after GOAWAY requests above its number were not acted on, the others finish, and no new one begins', async () => {
  const peer = new Peer();
  const [first, second] = [peer.request(), peer.request()];
  await peer.send(settings, frame(goAway, 0, 0, Buffer.concat([uint32(1), uint32(0)])));
  expect([second.stream.isRefused, second.recorder.events]).toEqual([true, ['close']]);
  expect(() => peer.request()).toThrow('takes no more requests');
  expect(first.recorder.events).toEqual([]);
  await peer.send(respond(1, endStream));
  expect(first.recorder.events).toEqual(['response 200', 'end', 'close']);
  expect(peer.socket.writableEnded).toBe(true);
});

it('opens no more requests at once than the peer allows', async () => {
  const peer = new Peer();
  await peer.send(setting(3, 1));
  peer.request();
  expect(() => peer.request()).toThrow('takes no more requests');
  await peer.send(respond(1, endStream));
  peer.request();
});

it('a lost connection ends what runs as lost, and a reset by the peer as reset', async () => {
  const peer = new Peer();
  const [first, second, third] = [peer.request(), peer.request(), peer.request()];
  await peer.send(settings, respond(1), frame(reset, 0, 3, uint32(errorCodes.refusedStream)));
  expect([second.stream.isRefused, second.stream.isLost]).toEqual([true, false]);
  let closed = 0;
  peer.http2.on('close', () => {
    closed += 1;
  });
  peer.socket.destroy();
  await turn();
  expect([first.stream.isLost, third.stream.isLost, third.stream.isRefused]).toEqual([true, true, false]);
  expect([first.recorder.events, closed]).toEqual([['response 200', 'close'], 1]);
});

it.each([
  ['NO_ERROR stops the upload', [frame(reset, 0, 1, uint32(0))]],
  ['STREAM_CLOSED complains of what was still on its way', [frame(reset, 0, 1, uint32(5))]],
  ['NO_ERROR, then STREAM_CLOSED', [0, 5].map((code) => frame(reset, 0, 1, uint32(code)))],
  ['the connection is lost', 'lost' as const],
])('a response that ends before the request is kept: %s', async (_how, then) => {
  const peer = new Peer();
  const { stream, recorder } = peer.request(false);
  await peer.send(settings, respond(1));
  stream.pause();
  await peer.send(frame(data, endStream, 1, Buffer.from('whole')), ...(then === 'lost' ? [] : then));
  if (then === 'lost') peer.socket.destroy();
  await turn();
  stream.write(Buffer.from('more'));
  expect([recorder.body, stream.isClosed]).toEqual(['', false]);
  stream.resume();
  expect([recorder.body, recorder.events]).toEqual(['whole', ['response 200', 'end', 'close']]);
  expect([stream.rstCode, sentBytes(peer, 1), peer.http2.openStreams]).toEqual([0, 0, 0]);
});

it('NO_ERROR before the end is no end: half a response never passes for a whole one', async () => {
  const peer = new Peer();
  const { stream, recorder } = peer.request();
  await peer.send(
    settings,
    respond(1),
    frame(data, 0, 1, Buffer.from('half')),
    frame(reset, 0, 1, uint32(0)),
  );
  expect(recorder.events).toEqual(['response 200', 'close']);
  expect(stream.rstCode).not.toBe(0);
});

it('pings are answered each by its own, and never by another', async () => {
  const peer = new Peer();
  const responded: number[] = [];
  for (const number of [1, 2]) peer.http2.ping(() => responded.push(number));
  await peer.send(settings);
  const [, second] = peer.ofType(6);
  await peer.send(frame(6, 1, 0, second?.payload ?? Buffer.alloc(8)));
  expect(responded).toEqual([2]);
});

it('closing waits for what runs; the socket ends after it', async () => {
  const peer = new Peer();
  const { recorder } = peer.request();
  await peer.send(settings);
  peer.http2.close();
  await turn();
  expect([peer.goAwayCode, peer.socket.writableEnded]).toEqual([0, false]);
  await peer.send(respond(1, endStream));
  expect([recorder.events.at(-1), peer.socket.writableEnded]).toEqual(['close', true]);
});

it('a reset of ours ends both sides once, after the present call; what comes or is written later is dropped', async () => {
  const peer = new Peer();
  const { stream, recorder } = peer.request(false);
  await peer.send(settings, respond(1));
  stream.write(Buffer.from('unsent'));
  stream.reset(errorCodes.cancel);
  expect(recorder.events).toEqual(['response 200']);
  stream.reset(errorCodes.cancel);
  expect(stream.write(Buffer.from('more'))).toBe(true);
  stream.end();
  await peer.send(frame(data, endStream, 1, Buffer.from('late')));
  expect([recorder.events, recorder.body]).toEqual([['response 200', 'close'], '']);
  expect([peer.resets, sentBytes(peer, 1), peer.http2.openStreams]).toEqual([{ 1: errorCodes.cancel }, 0, 0]);
});

it('only a refusal says that nothing was done', async () => {
  for (const code of [errorCodes.noError, errorCodes.internalError, errorCodes.cancel]) {
    const peer = new Peer();
    const { stream, recorder } = peer.request();
    await peer.send(settings, frame(reset, 0, 1, uint32(code)));
    expect([stream.isRefused, stream.isLost, recorder.events]).toEqual([false, false, ['close']]);
  }
});

it('a receiver that pauses again while it is given what waited gets the rest later, in order', async () => {
  const peer = new Peer();
  const { stream, recorder } = peer.request();
  await peer.send(settings, respond(1));
  stream.pause();
  const large = (text: string) => Buffer.alloc(5_000, text);
  for (const text of ['a', 'b', 'c']) await peer.send(frame(data, 0, 1, large(text)));
  const take = recorder.onData.bind(recorder);
  recorder.onData = (piece) => {
    take(piece);
    stream.pause();
  };
  await peer.send(frame(data, endStream, 1, large('d')));
  for (const body of ['a', 'ab', 'abc', 'abcd']) {
    stream.resume();
    expect(recorder.body).toBe([...body].map((text) => text.repeat(5_000)).join(''));
  }
  expect(recorder.events).toEqual(['response 200']);
  stream.resume();
  expect(recorder.events).toEqual(['response 200', 'end', 'close']);
});

it('ends with trailers after all that waits', async () => {
  const peer = new Peer();
  await peer.send(settings);
  const { stream } = peer.request(false);
  stream.write(Buffer.alloc(70_000));
  stream.end({ 'x-sum': '7' });
  await turn();
  expect(peer.ofType(headers)).toHaveLength(1);
  await peer.send(frame(windowUpdate, 0, 1, uint32(70_000)), frame(windowUpdate, 0, 0, uint32(70_000)));
  expect(peer.frames.at(-1)).toMatchObject({ type: headers, flags: endHeaders | endStream });
  expect(peer.ofType(data).every(({ flags }) => flags === 0)).toBe(true);
  expect(sentBytes(peer, 1)).toBe(70_000);
});

it('joins the small pieces that wait in a paused stream: few buffers hold many', async () => {
  const peer = new Peer();
  const { stream, recorder } = peer.request();
  await peer.send(settings, respond(1));
  stream.pause();
  for (let count = 0; count < 10; count += 1)
    await peer.send(
      ...Array.from({ length: 1_000 }, (_, index) => frame(data, 0, 1, Buffer.from(String(index % 10)))),
    );
  let pieces = 0;
  const take = recorder.onData.bind(recorder);
  recorder.onData = (piece) => {
    pieces += 1;
    take(piece);
  };
  stream.resume();
  expect([recorder.body, pieces]).toEqual(['0123456789'.repeat(1_000), 3]);
});
