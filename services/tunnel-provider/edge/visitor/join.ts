import { type ClientHttp2Stream, constants } from 'node:http2';
import type { Duplex } from 'node:stream';
import { resetStream } from './reset.ts';

/** Passes raw bytes between a visitor and a connector, both ways, until both have ended. */
export function joinStreams(
  visitor: Duplex,
  stream: ClientHttp2Stream,
  moved: (direction: 'bytesIn' | 'bytesOut', bytes: number) => void,
): void {
  pass(visitor, stream, (bytes) => moved('bytesIn', bytes));
  pass(stream, visitor, (bytes) => moved('bytesOut', bytes));
  visitor.on('error', () => {});
  visitor.once('close', () => resetStream(stream, constants.NGHTTP2_CANCEL));
  // What has come is still written before the visitor is let go.
  stream.once('close', () => (stream.rstCode === 0 ? visitor.end() : visitor.destroy()));
}

function pass(from: Duplex, to: Duplex, count: (bytes: number) => void): void {
  from.on('data', (chunk: Buffer) => {
    count(chunk.length);
    if (!to.writableEnded && !to.destroyed && !to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.once('end', () => to.end());
}
