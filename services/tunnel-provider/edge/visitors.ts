import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import { type PeerSettings, peerSettingNames, startPeers } from './peers/peers.ts';
import { keepTraffic } from './traffic/store.ts';
import { createTraffic } from './traffic/traffic.ts';
import type { TunnelConnection, TunnelPorts } from './visitor/ports.ts';
import { startVisitorSide, type VisitorSettings, visitorSettings } from './visitor/start.ts';

/** The settings of everything about visitors. */
export const visitorsSettings = [...visitorSettings, ...peerSettingNames] as const;

export interface VisitorsParts {
  readonly sql: Sql;
  readonly log: Log;
  /** What the connections held by this process bear as `edge_id`. */
  readonly edgeId: string;
  readonly findRoute: TunnelPorts['findRoute'];
  /** A live connection held by this process. */
  readonly pick: (tunnelId: string) => TunnelConnection | null;
  /** Called when traffic was stored. */
  readonly onMeasured?: (() => void) | undefined;
}

/** Opens the doors for visitors and other edges, and keeps the traffic they bring. */
export async function startVisitors(settings: VisitorSettings & PeerSettings, parts: VisitorsParts) {
  const { sql, log } = parts;
  const traffic = createTraffic();
  const peers = await startPeers(settings, sql, parts.edgeId, parts.pick, log);
  const ports = { findRoute: parts.findRoute, pick: peers.pick };
  const side = await startVisitorSide(settings, ports, traffic, log).catch(async (error: unknown) => {
    await peers.close();
    throw error;
  });
  const stopTraffic = keepTraffic(sql, traffic, log, parts.onMeasured);
  return {
    httpPort: side.httpPort,
    httpsPort: side.httpsPort,
    running: () => side.running(),
    sockets: () => side.sockets(),
    hasPeers: () => peers.areThere(),
    /** Takes nothing new, lets what runs finish (EDGE_DRAIN_MS), and stores the last figures. */
    stop: async () => {
      await Promise.all([side.stop(), peers.close()]);
      peers.destroy();
      await stopTraffic();
    },
  };
}
