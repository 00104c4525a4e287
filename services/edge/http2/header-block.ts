import { ConnectionError, errorCodes, StreamError } from './errors.ts';
import { type Head, readHead } from './head.ts';
import { decodeFields } from './hpack/decode.ts';

/** What stands in the place of a response's head that is too large. */
export const oversizedHeader = 'x-talpa-head-too-large';
/** Bytes of a head: as HPACK's block, and decoded with 32 bytes for each field. */
export const maximumBlock = 131_072;
const maximumHead = 262_144;

/** A head with more bytes, or more frames, than this ends the connection. */
const maximumBytes = 33_554_432;
const maximumFrames = 8_192;

/** Collects a head that comes in several frames. What is above the limit is dropped: without a dynamic table no other head needs it. */
export class HeaderBlock {
  readonly streamId: number;
  readonly endsStream: boolean;
  private parts: Buffer[] = [];
  private bytes = 0;
  private frames = 0;

  constructor(streamId: number, endsStream: boolean) {
    this.streamId = streamId;
    this.endsStream = endsStream;
  }

  /** @throws ConnectionError when the head has no end. */
  add(part: Buffer): void {
    this.bytes += part.length;
    this.frames += 1;
    if (this.bytes > maximumBytes || this.frames > maximumFrames)
      throw new ConnectionError(errorCodes.enhanceYourCalm, 'a head without end');
    // A copy: the part would keep what it was read from in memory.
    if (this.bytes <= maximumBlock) this.parts.push(Buffer.from(part));
    else this.parts = [];
  }

  /** The block; null when it is above the limit. */
  get whole(): Buffer | null {
    return this.bytes <= maximumBlock ? Buffer.concat(this.parts) : null;
  }
}

const oversized: Head = { ':status': '502', [oversizedHeader]: '1' };

/**
 * @param block null when it was above the limit.
 * @throws ConnectionError or StreamError when it is malformed.
 */
export function headOf(block: Buffer | null, isTrailers: boolean): Head {
  const fields = block && decodeFields(block, maximumHead);
  if (fields) return readHead(fields, isTrailers);
  if (isTrailers) throw new StreamError(errorCodes.enhanceYourCalm, 'trailers that are too large');
  return oversized;
}
