import { ConnectionError, errorCodes } from './errors.ts';
import type { Frame } from './frame-reader.ts';
import { flags } from './frames.ts';

export const protocolError = (message: string) => new ConnectionError(errorCodes.protocolError, message);

/** @throws ConnectionError when the payload has another length. */
export function expectLength({ payload }: Frame, length: number): void {
  if (payload.length !== length)
    throw new ConnectionError(errorCodes.frameSizeError, 'a frame of a wrong length');
}

/** Priorities are obsolete; their frames are checked and ignored. */
export function checkPriority(frame: Frame): void {
  if (frame.streamId === 0) throw protocolError('PRIORITY without a stream');
  expectLength(frame, 5);
}

/** The part of a head in a HEADERS frame. @throws ConnectionError when there is more padding than payload. */
export function withoutPadding({ payload, flags: flag }: Frame): Buffer {
  let start = 0;
  let end = payload.length;
  if (flag & flags.padded) {
    start = 1;
    end -= payload[0] ?? payload.length + 1;
  }
  if (flag & flags.priority) start += 5;
  if (start > end) throw protocolError('more padding than payload');
  return payload.subarray(start, end);
}

/** @returns why a stream is reset. cloudflared complains of a body that was still on its way when its response had ended: it needs no more of it. */
export function readReset(frame: Frame): number {
  expectLength(frame, 4);
  const code = frame.payload.readUInt32BE(0);
  return code === errorCodes.streamClosed ? errorCodes.noError : code;
}
