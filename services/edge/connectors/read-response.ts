import type { Head, StreamReceiver } from '../http2/connection.ts';
import { Pieces } from '../pieces.ts';

const maximumBytes = 65_536;

/** A response that is read as text. */
export interface TextResponse {
  readonly receiver: StreamReceiver;
  /** Rejects for another status than 200, for a body that is too long, and when the stream closes before its end. */
  readonly text: Promise<string>;
}

/** @param reset ends the request's stream. */
export function collectText(reset: () => void): TextResponse {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const pieces = new Pieces();
  let bytes = 0;
  const fail = (why: string) => {
    reject(new Error(why));
    reset();
  };
  return {
    text: promise,
    receiver: {
      onResponse: ({ ':status': status }: Head) => {
        if (status !== '200') fail(`responded with status ${status}`);
      },
      onData: (piece) => {
        pieces.add(piece);
        bytes += piece.length;
        if (bytes > maximumBytes) fail('the response is too long');
      },
      onEnd: () => resolve(Buffer.concat(pieces.list).toString()),
      onClose: () => reject(new Error('closed before the end of its response')),
    },
  };
}
