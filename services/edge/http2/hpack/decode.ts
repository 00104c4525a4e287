import { ConnectionError, errorCodes } from '../errors.ts';
import { decodeHuffman } from './huffman.ts';
import { staticTable } from './static-table.ts';

/** What an entry of a head costs beside its name and value (RFC 7541, 4.1). */
const entryOverhead = 32;
/** A longer integer is no length that anybody needs. */
const maximumIntegerBytes = 4;

const malformed = (message: string) => new ConnectionError(errorCodes.compressionError, message);

/**
 * Decodes an HPACK block of a peer that keeps no dynamic table, as our SETTINGS ask: each block stands alone.
 * @param maximumSize of the decoded head: names, values, and 32 bytes for each field.
 * @returns names and values in turn; null when they are larger than that.
 * @throws ConnectionError when the block is malformed or uses a dynamic table.
 */
export function decodeFields(block: Buffer, maximumSize: number): string[] | null {
  return new BlockDecoder(block, maximumSize).decode();
}

class BlockDecoder {
  private readonly block: Buffer;
  private readonly maximumSize: number;
  private at = 0;

  constructor(block: Buffer, maximumSize: number) {
    this.block = block;
    this.maximumSize = maximumSize;
  }

  decode(): string[] | null {
    const { block } = this;
    const fields: string[] = [];
    let size = 0;
    while (this.at < block.length) {
      const first = block[this.at] as number;
      let name: string;
      let value: string;
      if (first & 0x80) {
        [name, value] = entryOf(this.integer(7));
      } else if ((first & 0xe0) === 0x20) {
        if (fields.length > 0 || this.integer(5) !== 0)
          throw malformed('a table of HPACK that was not offered');
        continue;
      } else {
        const index = this.integer((first & 0xc0) === 0x40 ? 6 : 4);
        name = index === 0 ? this.text() : entryOf(index)[0];
        value = this.text();
      }
      size += name.length + value.length + entryOverhead;
      if (size > this.maximumSize) return null;
      fields.push(name, value);
    }
    return fields;
  }

  /** An integer that begins in the last `bits` of the next byte (RFC 7541, 5.1). */
  private integer(bits: number): number {
    const most = (1 << bits) - 1;
    let value = (this.block[this.at] as number) & most;
    this.at += 1;
    if (value < most) return value;
    for (let count = 0; count < maximumIntegerBytes; count += 1) {
      const byte = this.block[this.at];
      if (byte === undefined) throw malformed('a head that ends within an integer');
      this.at += 1;
      value += (byte & 0x7f) << (7 * count);
      if ((byte & 0x80) === 0) return value;
    }
    throw malformed('an integer without end');
  }

  private text(): string {
    const { block } = this;
    const first = block[this.at];
    if (first === undefined) throw malformed('a head that ends before a text');
    const length = this.integer(7);
    const [start, end] = [this.at, this.at + length];
    if (end > block.length) throw malformed('a head that ends within a text');
    this.at = end;
    if ((first & 0x80) === 0) return block.toString('latin1', start, end);
    const target = roomFor(length);
    const decoded = decodeHuffman(block, start, end, target);
    if (decoded < 0) throw malformed('a text that is no Huffman code');
    return target.toString('latin1', 0, decoded);
  }
}

function entryOf(index: number): readonly [name: string, value: string] {
  const entry = staticTable[index - 1];
  if (!entry) throw malformed('an index that no table has');
  return entry;
}

/** Used for one text at a time. */
let room = Buffer.allocUnsafeSlow(4_096);

/** No code is shorter than five bits. */
function roomFor(length: number): Buffer {
  const needed = Math.ceil((length * 8) / 5);
  if (room.length >= needed) return room;
  const larger = Buffer.allocUnsafeSlow(needed);
  // The usual room stays small: a large text is rare.
  if (needed <= 65_536) room = larger;
  return larger;
}
