import type { Http2Session, Http2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Bytes that wait for the visitor, before a stream that was reset is over, take no longer while some of them move. */
const lingerMs = 5_000;
const probeMs = 10_000;

/** The TCP sockets below the TLS of visitors' connections. */
const sockets = new WeakMap<Http2Session, Socket>();
const probes = new WeakMap<Http2Session, { readonly at: number; readonly sent: number }>();

/** To call when a connection begins. */
export function keepSocket(session: Http2Session): void {
  const { _parent: socket } = session.socket as { _parent?: Socket };
  if (socket) sockets.set(session, socket);
}

/** Ends a connection with all of its streams. Where a write to it has failed, or does not end, Node leaves them all for ever. */
export function cutSession(session: Http2Session): void {
  session.destroy();
  // Not in the middle of the bytes that it has brought.
  setImmediate(() => sockets.get(session)?.destroy());
}

/**
 * Cuts a connection that is dead: Node takes no notice of a write that has failed, and never writes again. So it is asked to write a
 * ping, which needs no window; to call again and again while something waits to be written.
 */
export function cutIfDead(session: Http2Session, now = performance.now()): void {
  const socket = sockets.get(session);
  if (!socket || session.destroyed) return;
  const { _handle: handle, bytesWritten: sent } = socket as Socket & { _handle?: { writeQueueSize: number } };
  // The peer takes nothing, but it is there.
  if (handle && handle.writeQueueSize > 0) {
    probes.delete(session);
    return;
  }
  const probe = probes.get(session);
  if (probe?.sent === sent) cutSession(session);
  else if (!probe || now - probe.at >= probeMs) {
    probes.set(session, { at: now, sent });
    session.ping(() => {});
  }
}

/**
 * Resets a stream without ending it first. Node's `close` ends the writable side and flushes that before
 * the reset, so that the peer would take half a body of unknown length for the whole.
 */
export function resetStream(stream: Http2Stream & Duplex, code: number): void {
  if (stream.destroyed) return;
  if (!stream.closed) {
    stream._final = (done) => done();
    stream.close(code);
    endSurely(stream);
  }
  // What has come already is dropped: a stream that nobody reads never closes.
  stream.removeAllListeners('data');
  stream.resume();
}

/** Cuts the connection of a stream that was reset when nothing of what is before the reset leaves. */
function endSurely(stream: Http2Stream): void {
  const { session } = stream;
  const socket = session && sockets.get(session);
  if (!socket) return;
  const sent = socket.bytesWritten;
  const look = () => {
    if (stream.destroyed) return;
    if (socket.bytesWritten === sent) cutSession(session);
    else endSurely(stream);
  };
  setTimeout(look, lingerMs).unref();
}
