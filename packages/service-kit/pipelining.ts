import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';

/** Requests of a connection that may wait for the response before theirs. Browsers and load balancers send none. */
const maximumWaiting = 8;
const waiting = new WeakMap<Socket, number>();

/**
 * Whether to serve a request. A connection of HTTP/1.1 that sends more requests than it has read responses to is cut:
 * Node serves all that one packet holds, more than a thousand, before those of anybody else.
 */
export function isWithinPipeline(
  { socket }: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): boolean {
  if (!(response instanceof ServerResponse) || response.socket) return true;
  const count = (waiting.get(socket) ?? 0) + 1;
  if (count > maximumWaiting) {
    socket.destroy();
    return false;
  }
  waiting.set(socket, count);
  response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  return true;
}

/**
 * Lets a visitor send the body that they hold back. Node would write it behind the head of a response that waits for its turn, as a part
 * of the body.
 */
export function giveGoAhead(response: ServerResponse | Http2ServerResponse): void {
  if (!(response instanceof ServerResponse) || response.socket) return void response.writeContinue();
  response.once('socket', () => {
    if (!response.headersSent) response.writeContinue();
  });
}
