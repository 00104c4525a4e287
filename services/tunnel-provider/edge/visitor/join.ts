import { type ClientHttp2Stream, constants } from 'node:http2';
import type { Duplex } from 'node:stream';
import { resetStream } from './reset.ts';

/** A WebSocket is never half open: when one side has ended, the other has this long to say goodbye. */
const goodbyeMs = 5_000;

/** Passes raw bytes between a visitor and a connector, both ways, until one has ended. */
export function joinStreams(
  visitor: Duplex,
  stream: ClientHttp2Stream,
  moved: (direction: 'bytesIn' | 'bytesOut', bytes: number) => void,
): void {
  let goodbye: NodeJS.Timeout | undefined;
  const onEnd = () => {
    goodbye ??= setTimeout(() => visitor.destroy(), goodbyeMs);
  };
  pass(visitor, stream, (bytes) => moved('bytesIn', bytes), onEnd);
  pass(stream, visitor, (bytes) => moved('bytesOut', bytes), onEnd);
  visitor.on('error', () => {});
  visitor.once('close', () => {
    clearTimeout(goodbye);
    resetStream(stream, constants.NGHTTP2_CANCEL);
  });
  // What has come is still written before the visitor is let go.
  stream.once('close', () =>
    stream.rstCode === 0 ? visitor.end(() => visitor.destroy()) : visitor.destroy(),
  );
}

function pass(from: Duplex, to: Duplex, count: (bytes: number) => void, onEnd: () => void): void {
  from.on('data', (chunk: Buffer) => {
    count(chunk.length);
    if (!to.writableEnded && !to.destroyed && !to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.once('end', () => {
    to.end();
    onEnd();
  });
}
