import { ProtocolError } from './error.ts';

/** The longest message a connector may send, in bytes: its configuration, with room to spare. */
export const maximumMessageBytes = 262_144;
const maximumSegments = 16;

/** Cuts a stream into messages: number of segments less one, their sizes in words, padding, segments. */
export class FrameReader {
  private pending: Buffer = Buffer.alloc(0);

  /**
   * Takes the next piece of the stream and gives the messages it completes, each as its segments.
   * @throws ProtocolError when a message is too long or has too many segments.
   */
  push(piece: Buffer): Buffer[][] {
    this.pending = this.pending.length === 0 ? piece : Buffer.concat([this.pending, piece]);
    const messages: Buffer[][] = [];
    for (;;) {
      const segments = this.next();
      if (!segments) return messages;
      messages.push(segments);
    }
  }

  private next(): Buffer[] | null {
    const { pending } = this;
    if (pending.length < 4) return null;
    const count = pending.readUInt32LE(0) + 1;
    if (count > maximumSegments) throw new ProtocolError('too many segments');
    const head = 8 * Math.floor(count / 2 + 1);
    if (pending.length < head) return null;
    const sizes = Array.from({ length: count }, (_, index) => 8 * pending.readUInt32LE(4 + 4 * index));
    const end = sizes.reduce((sum, size) => sum + size, head);
    if (end > maximumMessageBytes) throw new ProtocolError('message too long');
    if (pending.length < end) return null;
    let at = head;
    const segments = sizes.map((size) => {
      at += size;
      return pending.subarray(at - size, at);
    });
    this.pending = pending.subarray(end);
    return segments;
  }
}

/** The frame of a message with one segment. */
export function frame(segment: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(segment.length / 8, 4);
  return Buffer.concat([head, segment]);
}
