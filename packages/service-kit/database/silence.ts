import { Socket } from 'node:net';

/**
 * Postgres ends a service's statement or idle transaction earlier (`setup.ts`). A server that is silent for longer is gone, and
 * the transaction with it.
 */
const silentMs = 16_000;
/** The driver closes an idle connection earlier: its server has no reason to send anything. */
const restSeconds = 10;
/** One of several sooner: the driver takes them in turn, so that what happens by itself would keep all of them open, 3 MB each. */
const restInPoolSeconds = 3;
export const restOf = (connections: number) => (connections === 1 ? restSeconds : restInPoolSeconds);

/** Where postgres.js wants a connection to. */
interface Target {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
}

/**
 * Emits `error` only together with `close`. The driver rejects waiting queries on `error`. A query that came between the two
 * events would never end, or would get another query's answer on the next connection (postgres.js 3.4.9).
 */
class PoolSocket extends Socket {
  /** The name on the server's certificate is checked against it. */
  readonly host: string;
  private failure: unknown;

  constructor(host: string) {
    super();
    this.host = host;
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'error') {
      this.failure = args[0];
      return true;
    }
    if (event === 'close' && this.failure && this.listenerCount('error') > 0)
      super.emit('error', this.failure);
    return super.emit(event, ...args);
  }
}

/** After how many checks in a row without a byte a socket is closed. */
const checks = 16;

/** Opens a pool's sockets, and closes those that have become silent. */
export interface Sockets {
  readonly open: (target: Target) => Socket;
  stop(): void;
}

/**
 * Detects a server whose machine is off, whose network is cut, or that hangs. TCP alone retries for a quarter of an hour, although
 * the server's name leads to another server by then. Queries that wait for a response get ETIMEDOUT; it is not known whether they were
 * done. It counts checks rather than seconds: a process of ours that was stopped for a while closes nothing when it goes on.
 */
export function listenForSilence(limitMs = silentMs): Sockets {
  const seen = new Map<Socket, { bytes: number; silentChecks: number }>();
  const timer = setInterval(() => {
    for (const [socket, last] of seen) {
      // The bytes of the TCP connection: with TLS on top this socket emits no `data` events.
      const { bytesRead: bytes } = socket;
      const silentChecks = bytes === last.bytes ? last.silentChecks + 1 : 0;
      seen.set(socket, { bytes, silentChecks });
      if (silentChecks > checks) socket.destroy(silence(limitMs));
    }
  }, limitMs / checks).unref();
  return {
    open: ({ host, port, path }) => {
      const [name = 'localhost'] = host;
      const socket = new PoolSocket(name);
      if (path) socket.connect(path);
      else socket.connect(port[0] ?? 5_432, name);
      seen.set(socket, { bytes: 0, silentChecks: 0 });
      socket.once('close', () => seen.delete(socket));
      return socket;
    },
    stop: () => clearInterval(timer),
  };
}

const silence = (ms: number) =>
  Object.assign(new Error(`Postgres has been silent for ${ms / 1_000} s`), { code: 'ETIMEDOUT' });
