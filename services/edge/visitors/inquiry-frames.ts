import { randomBytes } from 'node:crypto';

/** Of WebSocket (RFC 6455, 5.2), what an inquiry needs. */
export const frameTypes = { text: 1, ping: 9, pong: 10 } as const;
const isLast = 0x80;
const isMasked = 0x80;
/** Longer frames have their length in eight bytes: no line of a log is so long. */
const longest = 65_535;

/** A frame as clients send it. @param text at most 125 bytes */
export function frameOf(type: (typeof frameTypes)[keyof typeof frameTypes], text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] as number));
  return Buffer.concat([Buffer.from([isLast | type, isMasked | payload.length]), mask, masked]);
}

interface FrameHandlers {
  text(message: string): void;
  pong(): void;
  /** What came is no frame that we read. */
  broken(): void;
}

/** Reads the frames of a server from pieces of its bytes. */
export function createFrameReader(handlers: FrameHandlers): (piece: Buffer) => void {
  let held: Buffer = Buffer.alloc(0);
  const take = (): boolean => {
    const [first, second] = held;
    if (first === undefined || second === undefined) return false;
    const isLong = second === 126;
    if (isLong && held.length < 4) return false;
    const start = isLong ? 4 : 2;
    const length = isLong ? held.readUInt16BE(2) : second;
    if (held.length < start + length) return false;
    const payload = held.subarray(start, start + length);
    held = held.subarray(start + length);
    if (first === (isLast | frameTypes.text)) handlers.text(payload.toString());
    else if (first === (isLast | frameTypes.pong)) handlers.pong();
    return true;
  };
  return (piece) => {
    held = Buffer.concat([held, piece]);
    try {
      // A server masks nothing.
      while (take());
      if ((held[1] ?? 0) > 126 || held.length > longest) handlers.broken();
    } catch {
      handlers.broken();
    }
  };
}
