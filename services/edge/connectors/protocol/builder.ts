import { frame } from './framing.ts';

/** Writes a message of one segment; what is allocated first lies first. */
export class MessageBuilder {
  private bytes: Buffer = Buffer.alloc(256);
  private length = 8;

  /** The root struct, to be made first. */
  root(dataWords: number, pointers: number): StructBuilder {
    return this.structAt(0, dataWords, pointers);
  }

  /** The message with its frame, ready to be sent. */
  finish(): Buffer {
    return frame(Buffer.from(this.bytes.subarray(0, this.length)));
  }

  allocate(bytes: number): number {
    const at = this.length;
    this.length += 8 * Math.ceil(bytes / 8);
    if (this.length > this.bytes.length) {
      const larger = Buffer.alloc(2 * this.length);
      this.bytes.copy(larger);
      this.bytes = larger;
    }
    return at;
  }

  /** Bytes as they are now: an allocation may move them. */
  at(start: number): Buffer {
    return this.bytes.subarray(start);
  }

  structAt(pointerAt: number, dataWords: number, pointers: number): StructBuilder {
    const start = this.allocate(8 * (dataWords + pointers));
    const pointer = this.at(pointerAt);
    // An empty struct points at itself, or it would read as null.
    const words = dataWords + pointers === 0 ? -1 : (start - pointerAt - 8) / 8;
    pointer.writeInt32LE(words << 2, 0);
    pointer.writeUInt16LE(dataWords, 4);
    pointer.writeUInt16LE(pointers, 6);
    return new StructBuilder(this, start, dataWords);
  }
}

/** A struct that is being written; byte and bit positions count from its start. */
export class StructBuilder {
  private readonly message: MessageBuilder;
  private readonly start: number;
  private readonly dataWords: number;

  constructor(message: MessageBuilder, start: number, dataWords: number) {
    this.message = message;
    this.start = start;
    this.dataWords = dataWords;
  }

  uint8(byte: number, value: number): this {
    this.message.at(this.start).writeUInt8(value, byte);
    return this;
  }

  uint16(byte: number, value: number): this {
    this.message.at(this.start).writeUInt16LE(value, byte);
    return this;
  }

  uint32(byte: number, value: number): this {
    this.message.at(this.start).writeUInt32LE(value, byte);
    return this;
  }

  uint64(byte: number, value: bigint): this {
    this.message.at(this.start).writeBigUInt64LE(value, byte);
    return this;
  }

  struct(pointer: number, dataWords: number, pointers: number): StructBuilder {
    return this.message.structAt(this.pointerAt(pointer), dataWords, pointers);
  }

  bytes(pointer: number, bytes: Uint8Array): this {
    const at = this.list(pointer, 2, bytes.length, bytes.length);
    this.message.at(at).set(bytes);
    return this;
  }

  text(pointer: number, text: string): this {
    return this.bytes(pointer, Buffer.from(`${text}\0`));
  }

  texts(pointer: number, texts: readonly string[]): this {
    const at = this.list(pointer, 6, texts.length, 8 * texts.length);
    const list = new StructBuilder(this.message, at, 0);
    for (const [index, text] of texts.entries()) list.text(index, text);
    return this;
  }

  /** A list of structs of one shape. */
  structs(pointer: number, count: number, dataWords: number, pointers: number): StructBuilder[] {
    const words = dataWords + pointers;
    const at = this.list(pointer, 7, count * words, 8 * (1 + count * words));
    const tag = this.message.at(at);
    tag.writeUInt32LE(count << 2, 0);
    tag.writeUInt16LE(dataWords, 4);
    tag.writeUInt16LE(pointers, 6);
    return Array.from(
      { length: count },
      (_, index) => new StructBuilder(this.message, at + 8 + 8 * words * index, dataWords),
    );
  }

  capability(pointer: number, index: number): this {
    const bytes = this.message.at(this.pointerAt(pointer));
    bytes.writeUInt32LE(3, 0);
    bytes.writeUInt32LE(index, 4);
    return this;
  }

  private list(pointer: number, size: number, length: number, bytes: number): number {
    const at = this.message.allocate(bytes);
    const pointerAt = this.pointerAt(pointer);
    const target = this.message.at(pointerAt);
    target.writeInt32LE((((at - pointerAt - 8) / 8) << 2) | 1, 0);
    target.writeUInt32LE(((length << 3) | size) >>> 0, 4);
    return at;
  }

  private pointerAt(pointer: number): number {
    return this.start + 8 * (this.dataWords + pointer);
  }
}
