import type { Http2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';

/**
 * Resets a stream without ending it first. Node's `close` ends the writable side and flushes that before
 * the reset, so that the peer would take half a body of unknown length for the whole.
 */
export function resetStream(stream: Http2Stream & Duplex, code: number): void {
  if (stream.destroyed) return;
  if (!stream.closed) {
    stream._final = (done) => done();
    stream.close(code);
  }
  // What has come already is dropped: a stream that nobody reads never closes.
  stream.removeAllListeners('data');
  stream.resume();
}
