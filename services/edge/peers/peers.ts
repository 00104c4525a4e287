import { boundedCache } from '@talpa/service-kit/bounded-cache';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import type { Http2Connection } from '../http2/connection.ts';
import type { TunnelConnection, TunnelPorts } from '../visitors/ports.ts';
import { createPeerDialler } from './dial.ts';
import { joinDirectory } from './directory.ts';
import { listenForPeers } from './listen.ts';
import { tunnelHeader } from './protocol.ts';

export interface PeerSettings {
  readonly EDGE_DRAIN_MS: number;
  readonly EDGE_PEER_HOST: string;
  readonly EDGE_PEER_PORT: number;
  readonly EDGE_PEER_ADDRESS?: string | undefined;
  readonly EDGE_PEER_SECRET?: string | undefined;
}

export interface Peers {
  /** A connection of the tunnel: one held here, else one through an edge that holds some. */
  readonly pick: TunnelPorts['pick'];
  /** Whether other edges live, to which connectors may go. */
  areThere(): Promise<boolean>;
  /** Takes no more requests of other edges and lets theirs finish within EDGE_DRAIN_MS. */
  close(): Promise<void>;
  /** Ends the connections to other edges. */
  destroy(): void;
}

/** For so long an edge that took nothing is asked after the others: one that was killed is still listed for some seconds. */
const avoidedMs = 5_000;

/**
 * Joins the edges of an installation: a visitor may arrive at one and the connector at another. Without
 * EDGE_PEER_SECRET there is this edge alone.
 * @param edgeId the `edge_id` of the connections held here.
 * @param pickLocal a live connection held by this edge.
 * @param mayDial whether a game port leads through that tunnel to that target.
 */
export async function startPeers(
  settings: PeerSettings,
  sql: Sql,
  edgeId: string,
  pickLocal: (tunnelId: string) => TunnelConnection | null,
  log: Log,
  mayDial: (tunnelId: string, target: string) => boolean = () => false,
): Promise<Peers> {
  const { EDGE_PEER_SECRET: secret, EDGE_PEER_HOST: host } = settings;
  if (!secret)
    return { pick: pickLocal, areThere: async () => false, close: async () => {}, destroy: () => {} };
  const listener = await listenForPeers(host, settings.EDGE_PEER_PORT, secret, pickLocal, mayDial);
  const address = settings.EDGE_PEER_ADDRESS ?? `127.0.0.1:${listener.port}`;
  const directory = await joinDirectory(sql, edgeId, address, log);
  const dialler = createPeerDialler(secret);
  /** Edges that are gone, and edges that hold none of a tunnel any more. */
  const avoided = boundedCache<string, true>(10_000, { ttl: avoidedMs });
  const keyOf = (holder: string, tunnelId: string) => `${holder} ${tunnelId}`;
  let turn = 0;
  const inOrder = (holders: readonly string[], tunnelId: string): readonly string[] => {
    if (holders.length < 2) return holders;
    turn += 1;
    const first = turn % holders.length;
    const isAvoided = (one: string) => avoided.has(one) || avoided.has(keyOf(one, tunnelId));
    return [...holders.slice(first), ...holders.slice(0, first)].sort(
      (one, other) => Number(isAvoided(one)) - Number(isAvoided(other)),
    );
  };
  const pickRemote = async (tunnelId: string): Promise<TunnelConnection | null> => {
    for (const look of [1, 2]) {
      for (const holder of inOrder(await directory.holders(tunnelId), tunnelId)) {
        const peer = await dialler.connect(holder);
        if (peer) return through(peer, holder, tunnelId);
        avoided.set(holder, true);
      }
      // What is cached may be older than where the connector went.
      if (look === 1) directory.forget(tunnelId);
    }
    return null;
  };
  const through = (peer: Http2Connection, holder: string, tunnelId: string): TunnelConnection => ({
    openRequest: (fields, receiver, options) => {
      const stream = peer.request({ ...fields, [tunnelHeader]: tunnelId }, receiver, options, () => {
        if (!stream.isLost && !stream.isRefused) return;
        avoided.set(stream.isLost ? holder : keyOf(holder, tunnelId), true);
        directory.forget(tunnelId);
      });
      return stream;
    },
  });
  return {
    pick: (tunnelId) => pickLocal(tunnelId) ?? pickRemote(tunnelId),
    areThere: directory.hasOthers,
    close: async () => {
      await directory.leave();
      await listener.close(settings.EDGE_DRAIN_MS);
    },
    destroy: () => {
      dialler.close();
    },
  };
}
