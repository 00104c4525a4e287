const [headers, continuation] = [1, 9];
const endHeaders = 4;
const maximumFrame = 16_384;

/** A frame of HTTP/2. */
export function frame(type: number, flags: number, streamId: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

/** A block of HPACK in as many frames as it needs. */
export function blockFrames(streamId: number, block: Buffer, flags = 0): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < block.length; at += maximumFrame) {
    const isLast = at + maximumFrame >= block.length ? endHeaders : 0;
    const type = at === 0 ? headers : continuation;
    const own = isLast | (at === 0 ? flags : 0);
    pieces.push(frame(type, own, streamId, block.subarray(at, at + maximumFrame)));
  }
  return Buffer.concat(pieces);
}

/** A string of HPACK, not compressed (RFC 7541, 5.1 and 5.2). */
function hpackString(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) | 128);
  length.push(rest);
  return Buffer.concat([Buffer.from(length), bytes]);
}

const [settings, windowUpdate] = [4, 8];
const endStream = 1;

/** What begins a connection of a visitor who lets come what wants to: its preface, and the largest windows. */
export function beginning(): Buffer {
  const largest = Buffer.from([0x7f, 0xff, 0xff, 0xff]);
  const own = Buffer.concat([Buffer.from([0, 4]), largest]);
  const more = Buffer.from([0x7f, 0, 0, 0]);
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  return Buffer.concat([preface, frame(settings, 0, 0, own), frame(windowUpdate, 0, 0, more)]);
}

/** A GET of a visitor. */
export function getFrame(streamId: number, host: string): Buffer {
  const pseudo = Buffer.concat([Buffer.from([0x82, 0x87, 0x84, 0x01]), hpackString(host)]);
  return blockFrames(streamId, pseudo, endStream);
}

/** Ends a stream before its time. */
export const cancelFrame = (streamId: number): Buffer => frame(3, 0, streamId, Buffer.from([0, 0, 0, 8]));

/** The head of a response 200 as a connector sends it, however large the origin's headers are. */
export function headFrames(streamId: number, serialized: string): Buffer {
  const name = hpackString('cf-cloudflared-response-headers');
  return blockFrames(streamId, Buffer.concat([Buffer.from([0x88, 0x00]), name, hpackString(serialized)]));
}
