import type { TunnelConnection } from '../visitors/ports.ts';

/** One connection that a connector has opened, proved and registered. */
export interface EdgeConnection extends TunnelConnection {
  /** The row's id in the table of connections. */
  readonly id: string;
  readonly tunnelId: string;
  /** The connector process: all its connections name the same one. */
  readonly connectorId: string;
  /** Which of the connector's connections this is, from 0. */
  readonly index: number;
  /** It is about to leave and gets no new requests; what runs may finish. */
  readonly draining: boolean;
  /** How many requests run on it now. */
  readonly openStreams: number;
  /** Ends it at once, with all that runs on it. */
  destroy(): void;
}

/** The connections that this process holds, by tunnel. */
export class Registry<C extends EdgeConnection = EdgeConnection> {
  private readonly byTunnel = new Map<string, C[]>();
  private readonly byId = new Map<string, C>();
  private turn = 0;
  private hasAdvanced = false;

  get size(): number {
    return this.byId.size;
  }

  add(connection: C): void {
    this.byId.set(connection.id, connection);
    const held = this.byTunnel.get(connection.tunnelId);
    if (held) held.push(connection);
    else this.byTunnel.set(connection.tunnelId, [connection]);
  }

  /** Forgets a connection; one that is not held is none the worse for it. */
  remove(connection: C): void {
    if (!this.byId.delete(connection.id)) return;
    const rest = this.of(connection.tunnelId).filter((one) => one !== connection);
    if (rest.length > 0) this.byTunnel.set(connection.tunnelId, rest);
    else this.byTunnel.delete(connection.tunnelId);
  }

  get(id: string): C | undefined {
    return this.byId.get(id);
  }

  /** Every connection of a tunnel, draining ones too. */
  of(tunnelId: string): readonly C[] {
    return this.byTunnel.get(tunnelId) ?? [];
  }

  all(): C[] {
    return [...this.byId.values()];
  }

  tunnelIds(): string[] {
    return [...this.byTunnel.keys()];
  }

  /**
   * A connection of the tunnel that takes requests; null when there is none. The next one has its turn in the next turn of the event
   * loop: what arrives together is sent together, in one write.
   */
  pick(tunnelId: string): C | null {
    const held = this.byTunnel.get(tunnelId);
    if (!held) return null;
    this.advance();
    for (let step = 0; step < held.length; step += 1) {
      const connection = held[(this.turn + step) % held.length];
      if (connection && !connection.draining) return connection;
    }
    return null;
  }

  private advance(): void {
    if (this.hasAdvanced) return;
    this.hasAdvanced = true;
    this.turn = (this.turn + 1) % 1_000_000_007;
    setImmediate(() => {
      this.hasAdvanced = false;
    });
  }
}
