import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';

/** A tunnel's connection that can carry requests: a connector's own, or another edge's. */
export interface TunnelConnection {
  /** @throws Error when it takes no more requests; nothing has been sent then. */
  openRequest(
    headers: OutgoingHttpHeaders,
    options: { readonly endStream: boolean; readonly waitForTrailers?: boolean },
  ): ClientHttp2Stream;
}

/** Where a host name leads. */
export interface VisitorRoute {
  readonly tunnelId: string;
  /** The operator lets nobody in. */
  readonly suspended?: boolean;
}

/** What the visitor's side asks of the rest of the edge. */
export interface TunnelPorts {
  /** @param hostname ASCII, lower case, without port. */
  findRoute(hostname: string): Promise<VisitorRoute | null> | VisitorRoute | null;
  /** Whether the name led to a tunnel when it was last looked up. */
  isKnown(hostname: string): boolean;
  /** A live connection of the tunnel, another one each time if there are several. */
  pick(tunnelId: string): Promise<TunnelConnection | null> | TunnelConnection | null;
}
