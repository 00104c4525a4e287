import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import { errorCodes } from '../http2/errors.ts';
import type { TunnelConnection, TunnelPorts } from '../visitors/ports.ts';
import { createPeerDialler } from './dial.ts';
import { joinDirectory } from './directory.ts';
import { listenForPeers } from './listen.ts';

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
  let turn = 0;
  const pickRemote = async (tunnelId: string): Promise<TunnelConnection | null> => {
    const holders = await directory.holders(tunnelId);
    turn += 1;
    const holder = holders[turn % holders.length];
    if (holder === undefined) return null;
    return {
      openRequest: (fields, receiver, options) => {
        const stream = dialler.request(holder, tunnelId, fields, receiver, options, () => {
          // Refused or cut: the edge is gone, or holds none any more.
          if (stream.rstCode !== errorCodes.noError) directory.forget(tunnelId);
        });
        return stream;
      },
    };
  };
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
