import { Pieces } from '../../pieces.ts';
import { ProtocolError } from './error.ts';

/** The longest message a connector may send, in bytes: its configuration, with room to spare. */
export const maximumMessageBytes = 262_144;
const maximumSegments = 16;

/** Cuts a stream into messages: number of segments less one, their sizes in words, padding, segments. */
export class FrameReader {
  private readonly pieces = new Pieces();
  private length = 0;
  /** So many bytes say more than what is known already: fewer are only kept. */
  private needed = 4;

  /**
   * Takes the next piece of the stream and gives the messages it completes, each as its segments.
   * @throws ProtocolError when a message is too long or has too many segments.
   */
  push(piece: Buffer): Buffer[][] {
    this.pieces.add(piece);
    this.length += piece.length;
    const messages: Buffer[][] = [];
    while (this.length >= this.needed) {
      const pieces = this.pieces.takeAll();
      const pending = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      const { segments, end, needed } = cut(pending);
      if (segments) messages.push(segments);
      this.pieces.add(pending.subarray(end));
      this.length = pending.length - end;
      this.needed = needed;
    }
    return messages;
  }
}

/** A message at the beginning of the bytes: its segments and where it ends, or how many bytes are needed first. */
function cut(pending: Buffer): { segments?: Buffer[]; end: number; needed: number } {
  const count = pending.readUInt32LE(0) + 1;
  if (count > maximumSegments) throw new ProtocolError('too many segments');
  const head = 8 * Math.floor(count / 2 + 1);
  if (pending.length < head) return { end: 0, needed: head };
  const sizes = Array.from({ length: count }, (_, index) => 8 * pending.readUInt32LE(4 + 4 * index));
  const end = sizes.reduce((sum, size) => sum + size, head);
  if (end > maximumMessageBytes) throw new ProtocolError('message too long');
  if (pending.length < end) return { end: 0, needed: end };
  let at = head;
  const segments = sizes.map((size) => {
    at += size;
    return pending.subarray(at - size, at);
  });
  return { segments, end, needed: 4 };
}

/** The frame of a message with one segment. */
export function frame(segment: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(segment.length / 8, 4);
  return Buffer.concat([head, segment]);
}
