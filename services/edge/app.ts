import { randomUUID } from 'node:crypto';
import type { Settings } from '@talpa/service-kit/settings';
import { beginEpoch } from './connectors/epoch.ts';
import { type ConnectorParts, startConnectorSide } from './connectors/start.ts';
import { measureEdge } from './metrics.ts';
import { startPeers } from './peers/peers.ts';
import type { edgeSettingNames } from './settings.ts';
import { keepTraffic } from './traffic/store.ts';
import { createTraffic } from './traffic/traffic.ts';
import type { Front } from './visitors/front.ts';
import type { TunnelConnection, TunnelPorts } from './visitors/ports.ts';
import { createRoutes } from './visitors/routes.ts';
import { startVisitorSide } from './visitors/start.ts';

type EdgeSettings = Settings<(typeof edgeSettingNames)[number]>;

interface EdgeParts extends Omit<ConnectorParts, 'edgeId'> {
  /** Called when traffic was stored. */
  readonly onMeasured?: () => void;
  /** Where the edge is the whole public entrance. */
  readonly front?: Front | null;
}

/** A running edge: connectors on one side, visitors on the other. */
export interface Edge {
  readonly id: string;
  readonly connectors: Awaited<ReturnType<typeof startConnectorSide>>;
  readonly visitors: Awaited<ReturnType<typeof startVisitors>>;
  /** Takes nothing new, sends connectors to other edges, lets what runs finish, and ends what is left. */
  stop(): Promise<void>;
}

/** Starts an edge under a name of its own. @throws Error when a port is taken or a certificate is bad. */
export async function startEdge(settings: EdgeSettings, parts: EdgeParts): Promise<Edge> {
  const id = randomUUID();
  const { sql, log } = parts;
  const routes = createRoutes(sql);
  // First of all: what an earlier start has left behind counts no longer when the first is let in.
  const epoch = await beginEpoch(sql, id, parts.changed, log);
  const undos = [epoch.end];
  try {
    const forget = { route: routes.forget, certificates: () => parts.front?.certificates.forget() };
    const connectors = await startConnectorSide(settings, { ...parts, edgeId: id }, forget);
    undos.unshift(connectors.stop);
    const visitors = await startVisitors(settings, {
      ...parts,
      edgeId: id,
      findRoute: routes.find,
      isKnown: routes.isKnown,
      pick: (tunnelId) => connectors.registry.pick(tunnelId),
    });
    const { front } = parts;
    const endOrder = front?.certificates.order(front.panelHost);
    measureEdge(connectors.registry, visitors);
    return {
      id,
      connectors,
      visitors,
      stop: async () => {
        endOrder?.();
        connectors.close();
        const visitorsGone = visitors.stop();
        // Of an edge alone they would find a closed listener meanwhile, and come back the later for it.
        if (await visitors.hasPeers()) connectors.sendAway();
        await visitorsGone;
        await connectors.stop();
        await epoch.end();
      },
    };
  } catch (error) {
    for (const undo of undos) await undo();
    throw error;
  }
}

interface VisitorsParts
  extends Pick<EdgeParts, 'sql' | 'log' | 'onMeasured' | 'front'>,
    Pick<TunnelPorts, 'findRoute' | 'isKnown'> {
  /** The `edge_id` of the connections held by this process. */
  readonly edgeId: string;
  /** A live connection held by this process. */
  readonly pick: (tunnelId: string) => TunnelConnection | null;
}

/** Listens for visitors and other edges, and keeps the traffic they bring. */
async function startVisitors(settings: EdgeSettings, parts: VisitorsParts) {
  const { sql, log } = parts;
  const traffic = createTraffic();
  const peers = await startPeers(settings, sql, parts.edgeId, parts.pick, log);
  const ports = { findRoute: parts.findRoute, isKnown: parts.isKnown, pick: peers.pick };
  const side = await startVisitorSide(settings, ports, traffic, log, parts.front).catch(
    async (error: unknown) => {
      await peers.close();
      throw error;
    },
  );
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
