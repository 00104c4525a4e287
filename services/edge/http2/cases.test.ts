import { blockFrames, frame } from '@talpa/test-kit/frames';
import { ok, Peer, settings, turn } from '@talpa/test-kit/http2-peer';
import { describe, expect, it } from 'vitest';
import { errorCodes } from './errors.ts';

/*
 * What a peer may send and must not (RFC 9113), by section, as h2spec asks of clients: the request on stream 1 is open, and the peer has
 * sent its SETTINGS.
 */
const [data, headers, priority, reset, settingsType, push, ping, goAway, windowUpdate, continuation] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];
const [endStream, endHeaders, padded, hasPriority] = [1, 4, 8, 0x20];
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const setting = (id: number, value: number) => Buffer.concat([Buffer.from([0, id]), uint32(value)]);
const empty = Buffer.alloc(0);
const text = (string: string) => Buffer.from(string, 'latin1');
/** A literal field without indexing. */
const field = (name: string, value: string) =>
  Buffer.concat([Buffer.from([0, name.length]), text(name), Buffer.from([value.length]), text(value)]);
const response = frame(headers, endHeaders, 1, ok);
const head = (...fields: Buffer[]) => frame(headers, endHeaders, 1, Buffer.concat(fields));

const { protocolError, frameSizeError, flowControlError, compressionError, streamClosed, enhanceYourCalm } =
  errorCodes;

async function peerWith(...frames: Buffer[]): Promise<Peer> {
  const peer = new Peer();
  peer.request(false);
  await peer.send(settings, ...frames);
  return peer;
}

describe('the connection ends with', () => {
  it.each<[string, number, Buffer[]]>([
    ['4.2: a frame above the limit', frameSizeError, [frame(data, 0, 1, Buffer.alloc(65_537))]],
    [
      '4.3: a block that is no HPACK',
      compressionError,
      [head(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))],
    ],
    ['4.3: an index of a dynamic table', compressionError, [head(ok, Buffer.from([0xbe]))]],
    ['4.3: a dynamic table that was not offered', compressionError, [head(Buffer.from([0x21]), ok)]],
    ['4.3: an update of the table after a field', compressionError, [head(ok, Buffer.from([0x20]))]],
    ['4.3: index 0', compressionError, [head(Buffer.from([0x80]))]],
    ['4.3: a text beyond the block', compressionError, [head(Buffer.from([0, 9, 97]))]],
    ['4.3: a field without a value', compressionError, [head(Buffer.from([0, 1, 97]))]],
    [
      '4.3: Huffman code with its end mark',
      compressionError,
      [head(Buffer.from([0, 0x84, 255, 255, 255, 255]))],
    ],
    [
      '4.3: Huffman padding of eight bits',
      compressionError,
      [head(Buffer.from([0, 0x82, 0x1f, 0xff, 1, 97]))],
    ],
    ['4.3: Huffman padding with zeros', compressionError, [head(Buffer.from([0, 0x81, 0x18, 1, 97]))]],
    ['5.1: DATA of a stream that nobody opened', protocolError, [frame(data, 0, 3, text('x'))]],
    ['5.1: HEADERS of a stream that nobody opened', protocolError, [frame(headers, endHeaders, 3, ok)]],
    ['5.1: RST_STREAM of a stream that nobody opened', protocolError, [frame(reset, 0, 3, uint32(0))]],
    [
      '5.1: WINDOW_UPDATE of a stream that nobody opened',
      protocolError,
      [frame(windowUpdate, 0, 3, uint32(1))],
    ],
    ['5.1.1: a stream of the server', protocolError, [frame(headers, endHeaders, 2, ok)]],
    ['6.1: DATA without a stream', protocolError, [frame(data, 0, 0, text('x'))]],
    [
      '6.1: more padding than payload',
      protocolError,
      [response, frame(data, padded, 1, Buffer.from([9, 1]))],
    ],
    ['6.1: padding without a length', frameSizeError, [response, frame(data, padded, 1, empty)]],
    ['6.2: HEADERS without a stream', protocolError, [frame(headers, endHeaders, 0, ok)]],
    [
      '6.2: HEADERS within a head',
      protocolError,
      [frame(headers, 0, 1, ok), frame(headers, endHeaders, 1, ok)],
    ],
    [
      '6.2: PING within a head',
      protocolError,
      [frame(headers, 0, 1, ok), frame(ping, 0, 0, Buffer.alloc(8))],
    ],
    ['6.2: DATA within a head', protocolError, [frame(headers, 0, 1, ok), frame(data, 0, 1, text('x'))]],
    [
      '6.2: an unknown frame within a head',
      protocolError,
      [frame(headers, 0, 1, ok), frame(99, 0, 1, empty)],
    ],
    [
      '6.2: more padding than head',
      protocolError,
      [frame(headers, endHeaders | padded, 1, Buffer.from([9, 0x88]))],
    ],
    ['6.2: a priority without its bytes', protocolError, [frame(headers, endHeaders | hasPriority, 1, ok)]],
    ['6.3: PRIORITY without a stream', protocolError, [frame(priority, 0, 0, Buffer.alloc(5))]],
    ['6.3: PRIORITY of a wrong length', frameSizeError, [frame(priority, 0, 1, Buffer.alloc(4))]],
    ['6.4: RST_STREAM without a stream', protocolError, [frame(reset, 0, 0, uint32(0))]],
    ['6.4: RST_STREAM of a wrong length', frameSizeError, [frame(reset, 0, 1, Buffer.alloc(3))]],
    ['6.5: SETTINGS of a stream', protocolError, [frame(settingsType, 0, 1, empty)]],
    ['6.5: an acknowledgment with a payload', frameSizeError, [frame(settingsType, 1, 0, setting(4, 1))]],
    ['6.5: SETTINGS of a wrong length', frameSizeError, [frame(settingsType, 0, 0, Buffer.alloc(5))]],
    ['6.5.2: a server that allows pushes', protocolError, [frame(settingsType, 0, 0, setting(2, 1))]],
    [
      '6.5.2: a window above the maximum',
      flowControlError,
      [frame(settingsType, 0, 0, setting(4, 0x8000_0000))],
    ],
    ['6.5.2: a frame size below the minimum', protocolError, [frame(settingsType, 0, 0, setting(5, 16_383))]],
    [
      '6.5.2: a frame size above the maximum',
      protocolError,
      [frame(settingsType, 0, 0, setting(5, 16_777_216))],
    ],
    ['6.6: PUSH_PROMISE', protocolError, [frame(push, endHeaders, 1, Buffer.concat([uint32(2), ok]))]],
    ['6.7: PING of a stream', protocolError, [frame(ping, 0, 1, Buffer.alloc(8))]],
    ['6.7: PING of a wrong length', frameSizeError, [frame(ping, 0, 0, Buffer.alloc(6))]],
    ['6.8: GOAWAY of a stream', protocolError, [frame(goAway, 0, 1, Buffer.alloc(8))]],
    ['6.8: GOAWAY that is too short', frameSizeError, [frame(goAway, 0, 0, Buffer.alloc(7))]],
    [
      '6.9: the connection’s window that grows by nothing',
      protocolError,
      [frame(windowUpdate, 0, 0, uint32(0))],
    ],
    ['6.9: WINDOW_UPDATE of a wrong length', frameSizeError, [frame(windowUpdate, 0, 0, Buffer.alloc(3))]],
    [
      '6.9.1: the connection’s window above the maximum',
      flowControlError,
      [frame(windowUpdate, 0, 0, uint32(0x7fff_ffff))],
    ],
    ['6.10: CONTINUATION without a head', protocolError, [frame(continuation, endHeaders, 1, ok)]],
    [
      '6.10: CONTINUATION after a whole head',
      protocolError,
      [response, frame(continuation, endHeaders, 1, ok)],
    ],
    [
      '6.10: CONTINUATION of another stream',
      protocolError,
      [frame(headers, 0, 1, ok), frame(continuation, endHeaders, 3, ok)],
    ],
    [
      '10.5: a head without end',
      enhanceYourCalm,
      [frame(headers, 0, 1, ok), ...Array<Buffer>(8_192).fill(frame(continuation, 0, 1, empty))],
    ],
  ])('%s', async (_what, code, frames) => {
    const peer = await peerWith(...frames);
    expect(peer.goAwayCode).toBe(code);
    expect(peer.http2.destroyed).toBe(true);
  });

  it('3.4: a first frame that is no SETTINGS', async () => {
    for (const first of [
      frame(ping, 0, 0, Buffer.alloc(8)),
      frame(settingsType, 1, 0, empty),
      frame(99, 0, 0, empty),
    ]) {
      const peer = new Peer();
      await peer.send(first);
      expect(peer.goAwayCode).toBe(protocolError);
    }
  });
});

describe('only the stream ends with', () => {
  it.each<[string, number, Buffer[]]>([
    ['5.1: HEADERS after the end', streamClosed, [frame(headers, endHeaders | endStream, 1, ok), response]],
    [
      '5.1: DATA after the end',
      streamClosed,
      [frame(headers, endHeaders | endStream, 1, ok), frame(data, 0, 1, text('x'))],
    ],
    ['6.9: a window that grows by nothing', protocolError, [frame(windowUpdate, 0, 1, uint32(0))]],
    ['6.9.1: a window above the maximum', flowControlError, [frame(windowUpdate, 0, 1, uint32(0x7fff_ffff))]],
    [
      '6.9.2: a window above the maximum by SETTINGS',
      flowControlError,
      [frame(windowUpdate, 0, 1, uint32(0x7fff_0000)), frame(settingsType, 0, 0, setting(4, 0x7fff_ffff))],
    ],
    ['8.1: a body before its head', protocolError, [frame(data, 0, 1, text('x'))]],
    ['8.1: trailers that are not the end', protocolError, [response, head(field('a', 'b'))]],
    [
      '8.1: an informational head as the end',
      protocolError,
      [frame(headers, endHeaders | endStream, 1, field(':status', '103'))],
    ],
    ['8.2: an upper-case name', protocolError, [head(ok, field('Name', 'b'))]],
    ['8.2: an empty name', protocolError, [head(ok, Buffer.from([0, 0, 1, 97]))]],
    ['8.2.1: a line break in a value', protocolError, [head(ok, field('name', 'a\r\nb: c'))]],
    ['8.2.1: a NUL in a value', protocolError, [head(ok, field('name', 'a\0'))]],
    ['8.2.2: a header of the connection', protocolError, [head(ok, field('transfer-encoding', 'chunked'))]],
    ['8.2.2: TE, which is for requests', protocolError, [head(ok, field('te', 'gzip'))]],
    ['8.2.2: a header of the upgrade to HTTP/2', protocolError, [head(ok, field('http2-settings', 'a'))]],
    ['8.3: an unknown pseudo-header', protocolError, [head(ok, field(':other', 'a'))]],
    ['8.3: a pseudo-header of requests', protocolError, [head(ok, field(':path', '/'))]],
    ['8.3: a pseudo-header after others', protocolError, [head(field('a', 'b'), ok)]],
    [
      '8.3: a pseudo-header in trailers',
      protocolError,
      [response, frame(headers, endHeaders | endStream, 1, ok)],
    ],
    ['8.3.2: no status', protocolError, [head(field('a', 'b'))]],
    ['8.3.2: two', protocolError, [head(ok, ok)]],
    ['8.3.2: one that is no number', protocolError, [head(field(':status', '2x0'))]],
    [
      'trailers above the limit',
      enhanceYourCalm,
      [response, blockFrames(1, Buffer.alloc(140_000, 0x88), endStream)],
    ],
  ])('%s', async (_what, code, frames) => {
    const peer = new Peer();
    const [faulty, other] = [peer.request(false), peer.request()];
    await peer.send(settings, ...frames, frame(headers, endHeaders | endStream, 3, ok));
    expect(peer.resets).toEqual({ 1: code });
    expect([faulty.stream.isClosed, faulty.stream.rstCode]).toEqual([true, code]);
    expect(faulty.recorder.events.at(-1)).toBe('close');
    expect(other.recorder.events).toEqual(['response 200', 'end', 'close']);
    expect([peer.goAwayCode, peer.http2.closed]).toEqual([undefined, false]);
  });

  it('6.9.1: more bytes than its window', async () => {
    const peer = new Peer();
    const { stream, recorder } = peer.request();
    await peer.send(settings, response);
    stream.pause();
    const piece = frame(data, 0, 1, Buffer.alloc(65_536, 'x'));
    for (let count = 0; count < 16; count += 1) await peer.send(piece);
    expect([peer.resets, recorder.body]).toEqual([{}, '']);
    await peer.send(frame(data, 0, 1, text('x')));
    expect(peer.resets).toEqual({ 1: flowControlError });
    expect(peer.goAwayCode).toBeUndefined();
  });
});

describe('it goes on after', () => {
  it.each<[string, Buffer[]]>([
    ['4.1: a frame of an unknown type', [frame(99, 255, 7, Buffer.alloc(100))]],
    ['4.1: unknown flags', [frame(ping, 0xfe, 0, Buffer.alloc(8))]],
    [
      '5.1: frames of a stream that we have reset',
      [
        frame(headers, endHeaders, 3, ok),
        frame(data, 0, 3, text('x')),
        frame(windowUpdate, 0, 3, uint32(1)),
        frame(reset, 0, 3, uint32(8)),
      ],
    ],
    ['5.3: PRIORITY', [frame(priority, 0, 5, Buffer.alloc(5))]],
    ['6.5.2: an unknown setting', [frame(settingsType, 0, 0, setting(99, 1))]],
    ['6.7: an acknowledgment of no PING', [frame(ping, 1, 0, Buffer.alloc(8))]],
    ['8.1: informational heads', [head(field(':status', '103')), head(field(':status', '100'))]],
    [
      'padding of heads and bodies',
      [frame(headers, endHeaders | padded | hasPriority, 1, Buffer.from([2, 0, 0, 0, 0, 9, 0x88, 0, 0]))],
    ],
  ])('%s', async (_what, frames) => {
    const peer = new Peer();
    const { recorder } = peer.request(false);
    peer.request().stream.reset(8);
    await peer.send(settings, ...frames);
    if (recorder.events.length === 0) await peer.send(response);
    await peer.send(frame(data, padded | endStream, 1, Buffer.from([2, 111, 107, 0, 0])));
    expect([recorder.events, recorder.body]).toEqual([['response 200', 'end'], 'ok']);
    expect([peer.goAwayCode, peer.resets]).toEqual([undefined, { 3: 8 }]);
  });

  it('a head above the limit: it becomes one that says so, whatever its size', async () => {
    for (const size of [131_073, 1_000_000]) {
      const peer = new Peer();
      const { recorder } = peer.request();
      await peer.send(settings, blockFrames(1, Buffer.alloc(size, 0x88), endStream));
      expect(recorder.head).toEqual({ ':status': '502', 'x-talpa-head-too-large': '1' });
      expect(recorder.events).toEqual(['response 502', 'end', 'close']);
    }
  });

  it('acknowledges SETTINGS and PING with its payload', async () => {
    const peer = await peerWith(frame(ping, 0, 0, text('12345678')));
    await turn();
    expect(peer.ofType(settingsType).map(({ flags }) => flags)).toEqual([0, 1]);
    expect(peer.ofType(ping).map(({ flags, payload }) => [flags, String(payload)])).toEqual([
      [1, '12345678'],
    ]);
  });
});
