import { connect, createServer, type Server, type Socket } from 'node:net';

/** Where a server of a node listens. */
export type Target = { readonly node: string } & ({ readonly port: number } | { readonly path: string });

/** The network between the nodes: all that they say to each other goes through its links. */
export interface Network {
  /**
   * Opens a port on one node that leads to a server of another node. `to` chooses the server of each new connection, like a
   * Service of Kubernetes; with null the connection is closed at once.
   * @param dialMs after which a client gives a server up that it cannot reach, as the system does with `tcp_user_timeout`;
   * left out: a client that has no deadline waits until it can
   */
  link(from: string, to: () => Target | null, dialMs?: number): Promise<number>;
  /** Nothing goes to or from this node any more. No end is notified: connections stay open and are silent. */
  cut(node: string): void;
  /** What was said meanwhile arrives. */
  heal(node: string): void;
  isCut(node: string): boolean;
  close(): Promise<void>;
}

export function createNetwork(): Network {
  const cutOff = new Set<string>();
  const pipes = new Set<Pipe>();
  const servers: Server[] = [];
  const update = () => {
    for (const pipe of pipes) pipe.update();
  };
  return {
    link: async (from, to, dialMs) => {
      const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
        const target = to();
        if (!target) return socket.destroy();
        const pipe = new Pipe(socket, target, () => cutOff.has(from) || cutOff.has(target.node));
        pipes.add(pipe);
        pipe.ended(() => pipes.delete(pipe));
        pipe.update();
        if (dialMs) setTimeout(() => pipe.giveUp(), dialMs).unref();
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      return typeof address === 'object' && address ? address.port : 0;
    },
    cut: (node) => {
      cutOff.add(node);
      update();
    },
    heal: (node) => {
      cutOff.delete(node);
      update();
    },
    isCut: (node) => cutOff.has(node),
    close: async () => {
      for (const pipe of pipes) pipe.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** One connection and its other half. While it is cut nothing is read: neither bytes nor that one end has gone. */
class Pipe {
  private readonly outer: Socket;
  private inner: Socket | null = null;
  /** What one end has done that the other does not know yet. */
  private readonly undelivered: (() => void)[] = [];
  private readonly target: Target;
  private readonly isCut: () => boolean;

  constructor(outer: Socket, target: Target, isCut: () => boolean) {
    this.outer = outer;
    this.target = target;
    this.isCut = isCut;
    outer.on('error', () => {});
  }

  update(): void {
    if (this.isCut()) {
      this.outer.pause();
      this.inner?.pause();
      return;
    }
    for (const deliver of this.undelivered.splice(0)) deliver();
    if (!this.inner && !this.outer.destroyed) this.open();
    this.outer.resume();
    this.inner?.resume();
  }

  /** Calls back when both ends know that it is over. */
  ended(callBack: () => void): void {
    this.outer.once('close', () => this.deliver(callBack));
  }

  /** Ends it unless it has reached its server. */
  giveUp(): void {
    if (!this.inner) this.outer.destroy();
  }

  destroy(): void {
    this.outer.destroy();
    this.inner?.destroy();
  }

  private deliver(event: () => void): void {
    if (this.isCut()) this.undelivered.push(event);
    else event();
  }

  private open(): void {
    const inner = connect({ ...this.target, allowHalfOpen: true });
    this.inner = inner;
    this.join(this.outer, inner);
    this.join(inner, this.outer);
  }

  private join(from: Socket, to: Socket): void {
    from.setNoDelay(true);
    from.on('data', (bytes) => {
      if (!to.write(bytes)) from.pause();
    });
    to.on('drain', () => this.update());
    from.on('end', () => this.deliver(() => to.end()));
    from.on('error', () => {});
    from.on('close', () => this.deliver(() => to.destroy()));
  }
}
