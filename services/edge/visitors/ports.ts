import type { Judge } from '@talpa/access/judge';
import type { RequestLogMode, WallMethod } from '@talpa/contracts';
import type { Fields, RequestStream, StreamReceiver } from '../http2/connection.ts';

/** A tunnel's connection that can carry requests: a connector's own, or another edge's. */
export interface TunnelConnection {
  /** @throws Error when it takes no more requests; nothing has been sent then. */
  openRequest(
    fields: Fields,
    receiver: StreamReceiver,
    options: { readonly endStream: boolean },
  ): RequestStream;
}

/** Where a host name leads. */
export interface VisitorRoute {
  /** By it everything is judged, counted and limited; null: the name's record says none that exists, so nobody may be let in. */
  readonly proxyId: string | null;
  /** What carries it, and may carry other proxies. */
  readonly tunnelId: string;
  /** The operator lets nobody in. */
  readonly suspended?: boolean;
  /** Whom the proxy's policy lets in reads this instead of the panel, if only that it is paused. */
  readonly paused?: { readonly message: string };
  /** What is recorded of its visitors' requests; left out: `metadata`. */
  readonly requestLog?: RequestLogMode;
  /** Says whom the proxy's policy lets in; left out: everyone. */
  readonly gate?: Gate;
}

/** A proxy's policy, ready to be asked. */
export interface Gate {
  readonly judge: Judge;
  /** Somebody whom it lets in now may have to leave later without a change of the policy. */
  readonly expires: boolean;
  /** What visitors pass whom the judge sends there; null: it sends nobody. */
  readonly wall: GateWall | null;
}

/** What lets visitors pass the wall of a proxy. */
export interface GateWall {
  readonly proxyId: string;
  /** Of the policy: who has passed an earlier one has to pass again. */
  readonly version: number;
  readonly methods: readonly WallMethod[];
  readonly require: 'any' | 'all';
  /** CORS preflights need not pass it. */
  readonly preflights: boolean;
  readonly hashes: Readonly<Record<'pin' | 'password', string | null>>;
}

/** What the visitor's side asks of the rest of the edge. */
export interface TunnelPorts {
  /** @param hostname ASCII, lower case, without port. */
  findRoute(hostname: string): Promise<VisitorRoute | null> | VisitorRoute | null;
  /** Whether the name led to a tunnel when it was last looked up. */
  isKnown(hostname: string): boolean;
  /** Whether a proxy has not been deleted. */
  isThere(proxyId: string): Promise<boolean>;
  /** Which of a tunnel's rules concerns a name, from 0, as the connector counts them; null: none does. */
  findRule(tunnelId: string, hostname: string): Promise<number | null>;
  /** A live connection of the tunnel, another one each time if there are several. */
  pick(tunnelId: string): Promise<TunnelConnection | null> | TunnelConnection | null;
}
