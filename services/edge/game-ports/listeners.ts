import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Log } from '@talpa/service-kit/log';
import { onceAMinute } from '@talpa/service-kit/once-a-minute';
import { listening } from '@talpa/service-kit/process/listening';

/** The public ports that are open. */
export interface PortListeners {
  /** Opens these and closes all others. One that cannot be opened is logged and tried again at the next call. */
  set(ports: ReadonlySet<number>): Promise<void>;
  /** Those that are open. */
  open(): readonly number[];
  /** Those that could not be opened. */
  failed(): readonly number[];
  close(): void;
}

const setting = 'EDGE_TCP_PORTS';
/** So soon the system asks whether a visitor who is silent is still there. */
const keepAliveMs = 60_000;

/**
 * Listens on public ports. Several edges of one host share each: the system gives every connection to one of them.
 * @param accept takes a visitor's connection, of which nothing is read yet.
 */
export function createPortListeners(
  host: string,
  accept: (publicPort: number, socket: Socket) => void,
  log: Log,
): PortListeners {
  const open = new Map<number, Server>();
  const failed = new Set<number>();
  let isClosed = false;
  const logLost = onceAMinute((error: Error) =>
    log.warn({ err: error }, 'a connection to a game port was lost'),
  );

  const start = async (port: number) => {
    const options = {
      allowHalfOpen: true,
      pauseOnConnect: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveMs,
    };
    const server = createServer(options, (socket) => accept(port, socket));
    try {
      await listening(setting, { host, port }, () =>
        once(server.listen({ host, port, reusePort: true }), 'listening'),
      );
    } catch (error) {
      if (!failed.has(port))
        log.error(
          { port },
          `${(error as Error).message}: its game port stays closed. End the other process, or leave that port out of ${setting}`,
        );
      failed.add(port);
      return;
    }
    // A connection that could not be accepted, for want of file descriptors: the others go on.
    server.on('error', logLost);
    failed.delete(port);
    if (isClosed) return void server.close();
    open.set(port, server);
    log.info({ port }, 'game port open');
  };
  return {
    async set(ports) {
      for (const [port, server] of open)
        if (!ports.has(port)) {
          open.delete(port);
          server.close();
          log.info({ port }, 'game port closed');
        }
      for (const port of failed) if (!ports.has(port)) failed.delete(port);
      for (const port of ports) if (!open.has(port) && !isClosed) await start(port);
    },
    open: () => [...open.keys()],
    failed: () => [...failed],
    close: () => {
      isClosed = true;
      for (const server of open.values()) server.close();
      open.clear();
    },
  };
}
