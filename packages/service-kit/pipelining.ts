import { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';

/** Requests of a connection that may wait for the response before theirs. Browsers and load balancers send none. */
const maximumWaiting = 8;
const waiting = new WeakMap<Socket, number>();

/**
 * Makes the class of HTTP/1.1 requests: a connection that sends more requests than it has read responses to is cut, and the rest of
 * what it sent is not read. Node serves all that one packet holds, more than a thousand, before those of anybody else, and responds
 * itself to what lacks a Host: so they are counted as their heads are read. `noteTurn` counts them down.
 */
export function countedRequests(): typeof IncomingMessage {
  return class extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket);
      const count = waiting.get(socket) ?? 0;
      waiting.set(socket, count + 1);
      if (count < maximumWaiting) return;
      // Node's parser asks this what follows the head: no answer it knows ends it. A socket that is destroyed would not.
      const { parser } = socket as { parser?: { onIncoming: () => number } };
      if (parser) parser.onIncoming = () => -1;
      socket.destroy();
    }
  };
}

/** A request arrived: it waits until the responses before its own were sent, if there are any. */
export function noteTurn({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket) waiting.set(socket, 0);
  else response.once('close', () => waiting.set(socket, Math.max(0, (waiting.get(socket) ?? 0) - 1)));
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
