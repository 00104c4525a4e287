import { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';

/** Requests of a connection that may wait for the response before theirs. Browsers and load balancers send none, apt sends nine. */
const maximumWaiting = 10;

interface Counts {
  /** Requests that wait for their turn. */
  waiting: number;
  /** Requests whose heads were read in the event loop's turn `turn`: Node may respond to each before it reads the next. */
  read: number;
  turn: number;
  /** Node was kept from pausing for its newest request. */
  isKept: boolean;
}
const counts = new WeakMap<Socket, Counts>();
const eventLoop = { turn: 0, isFollowed: false };

function thisTurn(): number {
  if (!eventLoop.isFollowed) {
    eventLoop.isFollowed = true;
    setImmediate(() => {
      eventLoop.isFollowed = false;
      eventLoop.turn += 1;
    });
  }
  return eventLoop.turn;
}

function countsOf(socket: Socket): Counts {
  const known = counts.get(socket);
  if (known) return known;
  const own = { waiting: 0, read: 0, turn: 0, isKept: false };
  counts.set(socket, own);
  return own;
}

/** What Node keeps of a connection, and its types do not name. */
interface Kept {
  /** The response that is being sent. */
  readonly _httpMessage?: unknown;
  /** Whether it reads on only when more has been sent. */
  _paused?: boolean;
  readonly parser?: { onIncoming: () => number };
}

/**
 * Makes the class of HTTP/1.1 requests: a connection that sends more requests than it has read responses to is cut, and the rest of
 * what it sent is not read. Node serves all that one packet holds, more than a thousand, before those of anybody else, and responds
 * itself to what lacks a Host: so they are counted as their heads are read. `trackTurn` says which have to wait.
 */
export function countedRequests(): typeof IncomingMessage {
  return class extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket);
      const own = countsOf(socket);
      own.waiting += 1;
      const turn = thisTurn();
      own.read = own.turn === turn ? own.read + 1 : 1;
      own.turn = turn;
      const kept = socket as Kept;
      // Node would read no further while a response is under way; over TLS it reads on all the same, and then refuses it as an error.
      own.isKept = Boolean(kept._httpMessage) && !kept._paused;
      if (own.isKept) kept._paused = true;
      // One is served while the others wait.
      if (own.waiting <= maximumWaiting + 1 && own.read <= maximumWaiting + 1) return;
      // Node's parser asks this what follows the head: no answer it knows ends it. A socket that is destroyed would not.
      const { parser } = kept;
      if (parser) parser.onIncoming = () => -1;
      socket.destroy();
    }
  };
}

/** A request arrived: until the responses before its own were sent it waits, if there are any. */
export function trackTurn({ socket }: IncomingMessage, response: ServerResponse): void {
  const own = countsOf(socket);
  if (own.isKept) (socket as Kept)._paused = false;
  if (response.socket) own.waiting = 0;
  else
    response.once('close', () => {
      own.waiting = Math.max(0, own.waiting - 1);
    });
}

/**
 * Lets a visitor send the body that they hold back. Node would write it behind the head of a response that waits for its turn, as a part
 * of the body.
 */
export function giveGoAhead(response: ServerResponse | Pick<Http2ServerResponse, 'writeContinue'>): void {
  if (!(response instanceof ServerResponse) || response.socket) return void response.writeContinue();
  response.once('socket', () => {
    if (!response.headersSent) response.writeContinue();
  });
}
