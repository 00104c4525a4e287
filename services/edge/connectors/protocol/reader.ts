import { ProtocolError } from './error.ts';

const maximumDepth = 24;
const byteList = 2;
const pointerList = 6;
const compositeList = 7;

/** Counts what has been read, so that pointers which lead to the same place cost no more than they say. */
class Message {
  readonly segments: readonly Buffer[];
  private words: number;

  constructor(segments: readonly Buffer[]) {
    this.segments = segments;
    this.words = 8 * segments.reduce((sum, one) => sum + one.length / 8, 16);
  }

  /** Bytes of a segment. @throws ProtocolError when they lie outside of it, or too much has been read. */
  take(segment: number, start: number, length: number): Buffer {
    const bytes = this.segments[segment];
    if (!bytes || start < 0 || length < 0 || start + length > bytes.length)
      throw new ProtocolError('pointer out of bounds');
    this.words -= 1 + length / 8;
    if (this.words < 0) throw new ProtocolError('message read too often');
    return bytes.subarray(start, start + length);
  }
}

/** A place in a message where a pointer's target begins, and the pointer. */
interface Target {
  readonly segment: number;
  /** In bytes. */
  readonly start: number;
  readonly pointer: Buffer;
}

const kindOf = (pointer: Buffer) => pointer.readUInt8(0) & 3;
const isNull = (pointer: Buffer) => pointer.readBigUInt64LE(0) === 0n;
/** The signed offset in bits 2–31 of a struct's or list's pointer, in bytes. */
const offsetOf = (pointer: Buffer) => 8 * (pointer.readInt32LE(0) >> 2);

/** Where the pointer at `at` leads, through far pointers; null when it is null. */
function follow(message: Message, segment: number, at: number): Target | null {
  const pointer = message.take(segment, at, 8);
  if (isNull(pointer)) return null;
  if (kindOf(pointer) !== 2) return { segment, start: at + 8 + offsetOf(pointer), pointer };
  const landingSegment = pointer.readUInt32LE(4);
  const landing = 8 * (pointer.readUInt32LE(0) >>> 3);
  const isDouble = (pointer.readUInt8(0) & 4) !== 0;
  const pad = message.take(landingSegment, landing, isDouble ? 16 : 8);
  if (!isDouble) {
    if (kindOf(pad) === 2) throw new ProtocolError('far pointer to a far pointer');
    return isNull(pad) ? null : { segment: landingSegment, start: landing + 8 + offsetOf(pad), pointer: pad };
  }
  if (kindOf(pad) !== 2 || (pad.readUInt8(0) & 4) !== 0) throw new ProtocolError('bad landing pad');
  const start = 8 * (pad.readUInt32LE(0) >>> 3);
  return { segment: pad.readUInt32LE(4), start, pointer: pad.subarray(8) };
}

/** A struct in a message; fields that its writer did not know read as zero, as the format says. */
export class StructReader {
  private readonly message: Message;
  private readonly segment: number;
  private readonly data: Buffer;
  private readonly pointersAt: number;
  private readonly pointerCount: number;
  private readonly depth: number;

  private constructor(message: Message, target: Target | null, depth: number) {
    if (depth > maximumDepth) throw new ProtocolError('nested too deeply');
    this.message = message;
    this.depth = depth;
    this.segment = target?.segment ?? 0;
    if (target && kindOf(target.pointer) !== 0) throw new ProtocolError('no struct where one was expected');
    const dataBytes = 8 * (target?.pointer.readUInt16LE(4) ?? 0);
    this.pointerCount = target?.pointer.readUInt16LE(6) ?? 0;
    const bytes = target
      ? message.take(target.segment, target.start, dataBytes + 8 * this.pointerCount)
      : Buffer.alloc(0);
    this.data = bytes.subarray(0, dataBytes);
    this.pointersAt = (target?.start ?? 0) + dataBytes;
  }

  /** The root of a message. @throws ProtocolError here and in all that is read from it. */
  static root(segments: readonly Buffer[]): StructReader {
    const message = new Message(segments);
    return new StructReader(message, follow(message, 0, 0), 0);
  }

  uint8(byte: number): number {
    return byte < this.data.length ? this.data.readUInt8(byte) : 0;
  }

  bool(bit: number): boolean {
    return (this.uint8(bit >> 3) & (1 << (bit & 7))) !== 0;
  }

  uint16(byte: number): number {
    return byte + 2 <= this.data.length ? this.data.readUInt16LE(byte) : 0;
  }

  uint32(byte: number): number {
    return byte + 4 <= this.data.length ? this.data.readUInt32LE(byte) : 0;
  }

  uint64(byte: number): bigint {
    return byte + 8 <= this.data.length ? this.data.readBigUInt64LE(byte) : 0n;
  }

  /** A null pointer reads as the empty struct. */
  struct(pointer: number): StructReader {
    return new StructReader(this.message, this.target(pointer), this.depth + 1);
  }

  /** The capability's index in the message's table; null when there is none. */
  capability(pointer: number): number | null {
    if (pointer >= this.pointerCount) return null;
    const bytes = this.message.take(this.segment, this.pointersAt + 8 * pointer, 8);
    return kindOf(bytes) === 3 ? bytes.readUInt32LE(4) : null;
  }

  /** A copy: what is kept of a message must not keep all of it. */
  bytes(pointer: number, maximum: number): Buffer {
    const target = this.target(pointer);
    return target ? Buffer.from(bytesOf(this.message, target, maximum)) : Buffer.alloc(0);
  }

  text(pointer: number, maximum: number): string {
    const target = this.target(pointer);
    return target ? textOf(bytesOf(this.message, target, maximum + 1)) : '';
  }

  /** A list of texts: at most `count`, each of at most `maximum` bytes. */
  texts(pointer: number, count: number, maximum: number): string[] {
    const target = this.target(pointer);
    if (!target) return [];
    const { size, length } = listOf(target.pointer);
    if (size !== pointerList || length > count) throw new ProtocolError('bad list of texts');
    this.message.take(target.segment, target.start, 8 * length);
    return Array.from({ length }, (_, index) => {
      const one = follow(this.message, target.segment, target.start + 8 * index);
      return one ? textOf(bytesOf(this.message, one, maximum + 1)) : '';
    });
  }

  /** How many elements a list of any kind has. */
  listLength(pointer: number): number {
    const target = this.target(pointer);
    if (!target) return 0;
    const { size, length } = listOf(target.pointer);
    if (size !== compositeList) return length;
    const tag = this.message.take(target.segment, target.start, 8);
    return tag.readUInt32LE(0) >>> 2;
  }

  /** Structs of a list, at most `maximum`. */
  structs(pointer: number, maximum: number): StructReader[] {
    const target = this.target(pointer);
    if (!target) return [];
    if (listOf(target.pointer).size !== compositeList) throw new ProtocolError('bad list of structs');
    const tag = this.message.take(target.segment, target.start, 8);
    const length = tag.readUInt32LE(0) >>> 2;
    if (kindOf(tag) !== 0 || length > maximum) throw new ProtocolError('bad list of structs');
    const step = 8 * (tag.readUInt16LE(4) + tag.readUInt16LE(6));
    return Array.from({ length }, (_, index) => {
      const start = target.start + 8 + step * index;
      return new StructReader(this.message, { ...target, start, pointer: tag }, this.depth + 1);
    });
  }

  private target(pointer: number): Target | null {
    if (pointer >= this.pointerCount) return null;
    return follow(this.message, this.segment, this.pointersAt + 8 * pointer);
  }
}

function listOf(pointer: Buffer): { size: number; length: number } {
  if (kindOf(pointer) !== 1) throw new ProtocolError('no list where one was expected');
  const word = pointer.readUInt32LE(4);
  return { size: word & 7, length: word >>> 3 };
}

function bytesOf(message: Message, target: Target, maximum: number): Buffer {
  const { size, length } = listOf(target.pointer);
  if (size !== byteList || length > maximum) throw new ProtocolError('bad bytes');
  return message.take(target.segment, target.start, length);
}

function textOf(bytes: Buffer): string {
  if (bytes.length === 0) return '';
  if (bytes.at(-1) !== 0) throw new ProtocolError('text without an end');
  return bytes.toString('utf8', 0, bytes.length - 1);
}
