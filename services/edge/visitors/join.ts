import { type ClientHttp2Stream, constants } from 'node:http2';
import type { Duplex } from 'node:stream';
import { resetStream } from './reset.ts';

/** A WebSocket is never half open: when one side has ended, the other has this long to say goodbye. */
const goodbyeMs = 5_000;

/** Who is notified of what happens on a WebSocket. */
export interface JoinWatch {
  moved(direction: 'bytesIn' | 'bytesOut', bytes: number): void;
  /** The visitor takes nothing of what waits, or takes again. */
  stalled(isStalled: boolean): void;
}

/** Passes raw bytes between a visitor and a connector, both ways, until one has ended. */
export function joinStreams(visitor: Duplex, stream: ClientHttp2Stream, watch: JoinWatch): void {
  let goodbye: NodeJS.Timeout | undefined;
  const onEnd = () => {
    goodbye ??= setTimeout(() => visitor.destroy(), goodbyeMs);
  };
  pass(visitor, stream, (bytes) => watch.moved('bytesIn', bytes), onEnd);
  pass(
    stream,
    visitor,
    (bytes) => watch.moved('bytesOut', bytes),
    onEnd,
    (isStalled) => watch.stalled(isStalled),
  );
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

function pass(
  from: Duplex,
  to: Duplex,
  count: (bytes: number) => void,
  onEnd: () => void,
  stalled: (isStalled: boolean) => void = () => {},
): void {
  from.on('data', (chunk: Buffer) => {
    count(chunk.length);
    if (to.writableEnded || to.destroyed || to.write(chunk)) return;
    from.pause();
    stalled(true);
  });
  to.on('drain', () => {
    stalled(false);
    from.resume();
  });
  from.once('end', () => {
    to.end();
    onEnd();
  });
}
