import { Socket } from 'node:net';

/**
 * Longer than Postgres lets a statement of a service take, or its transaction rest (`setup.ts`), without saying a word:
 * a server that is silent for so long is gone, and so is whatever stood in this transaction.
 */
const silentMs = 16_000;
/** Closed by the driver before: of a connection that is only at rest nobody expects a word. */
export const restSeconds = 10;

/** Where postgres.js wants a connection to. */
interface Target {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
}

/**
 * Says that it has failed only when it closes. The driver rejects what waits for an answer on the former; a query that came
 * between the two would never end, or get another one's answer on the next connection (postgres.js 3.4.9).
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

/** Opens a pool's sockets, and closes those that have become silent. */
export interface Sockets {
  readonly open: (target: Target) => Socket;
  stop(): void;
}

/**
 * Notices that a server is gone which tells nobody: its machine is off, its network cut, it hangs. TCP alone would keep
 * what was sent for a quarter of an hour, and a pool its dead connections, although the server's name leads elsewhere
 * by now. What waits for an answer gets ETIMEDOUT: whether it was done is not known.
 */
export function listenForSilence(limitMs = silentMs): Sockets {
  const heard = new Map<Socket, { bytes: number; at: number }>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, last] of heard) {
      // Counted below TLS too, where nothing is told of data.
      if (socket.bytesRead !== last.bytes) heard.set(socket, { bytes: socket.bytesRead, at: now });
      else if (now - last.at > limitMs) socket.destroy(silence(limitMs));
    }
  }, limitMs / 16).unref();
  return {
    open: ({ host, port, path }) => {
      const [name = 'localhost'] = host;
      const socket = new PoolSocket(name);
      if (path) socket.connect(path);
      else socket.connect(port[0] ?? 5_432, name);
      heard.set(socket, { bytes: 0, at: performance.now() });
      socket.once('close', () => heard.delete(socket));
      return socket;
    },
    stop: () => clearInterval(timer),
  };
}

const silence = (ms: number) =>
  Object.assign(new Error(`Postgres has been silent for ${ms / 1_000} s`), { code: 'ETIMEDOUT' });
