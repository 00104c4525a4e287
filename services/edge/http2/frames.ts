/** The types of frames (RFC 9113, 6). */
export const frameTypes = {
  data: 0x0,
  headers: 0x1,
  priority: 0x2,
  resetStream: 0x3,
  settings: 0x4,
  pushPromise: 0x5,
  ping: 0x6,
  goAway: 0x7,
  windowUpdate: 0x8,
  continuation: 0x9,
} as const;

export const flags = { ack: 0x1, endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** The settings that one of the two sides uses here (RFC 9113, 6.5.2). */
export const settingIds = {
  headerTableSize: 0x1,
  enablePush: 0x2,
  maxConcurrentStreams: 0x3,
  initialWindowSize: 0x4,
  maxFrameSize: 0x5,
  maxHeaderListSize: 0x6,
} as const;

export const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** Bytes before a frame's payload. */
export const frameHeadLength = 9;
export const maximumWindow = 0x7fff_ffff;
/** What holds until a peer says otherwise. */
export const defaultWindow = 65_535;
export const defaultFrameSize = 16_384;
export const maximumFrameSize = 16_777_215;

/*
 * Frames are written as text of one byte per character (latin1): what belongs together is joined without a copy and
 * encoded once, when it is sent.
 */

/** The nine bytes before a payload. */
export function frameHead(length: number, type: number, flag: number, streamId: number): string {
  return String.fromCharCode(
    length >> 16,
    (length >> 8) & 0xff,
    length & 0xff,
    type,
    flag,
    streamId >>> 24,
    (streamId >> 16) & 0xff,
    (streamId >> 8) & 0xff,
    streamId & 0xff,
  );
}

function uint32(value: number): string {
  return String.fromCharCode(value >>> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff);
}

export function settingsFrame(settings: readonly (readonly [id: number, value: number])[]): string {
  const payload = settings
    .map(([id, value]) => String.fromCharCode(id >> 8, id & 0xff) + uint32(value))
    .join('');
  return frameHead(payload.length, frameTypes.settings, 0, 0) + payload;
}

export const settingsAck = frameHead(0, frameTypes.settings, flags.ack, 0);

export function windowUpdate(streamId: number, bytes: number): string {
  return frameHead(4, frameTypes.windowUpdate, 0, streamId) + uint32(bytes);
}

export function resetStream(streamId: number, code: number): string {
  return frameHead(4, frameTypes.resetStream, 0, streamId) + uint32(code);
}

/** @param payload eight characters. */
export function pingFrame(payload: string, isAck: boolean): string {
  return frameHead(8, frameTypes.ping, isAck ? flags.ack : 0, 0) + payload;
}

export function goAway(lastStreamId: number, code: number): string {
  return frameHead(8, frameTypes.goAway, 0, 0) + uint32(lastStreamId) + uint32(code);
}

/** A head of that block, in as many frames as the peer's limit asks for. */
export function headersFrames(
  streamId: number,
  block: string,
  endsStream: boolean,
  maximumLength: number,
): string {
  const end = endsStream ? flags.endStream : 0;
  if (block.length <= maximumLength)
    return frameHead(block.length, frameTypes.headers, flags.endHeaders | end, streamId) + block;
  let text = frameHead(maximumLength, frameTypes.headers, end, streamId) + block.slice(0, maximumLength);
  for (let from = maximumLength; from < block.length; from += maximumLength) {
    const piece = block.slice(from, from + maximumLength);
    const flag = from + maximumLength >= block.length ? flags.endHeaders : 0;
    text += frameHead(piece.length, frameTypes.continuation, flag, streamId) + piece;
  }
  return text;
}
