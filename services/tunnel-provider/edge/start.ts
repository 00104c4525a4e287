import { randomUUID } from 'node:crypto';
import type { Settings } from '@talpa/service-kit/settings';
import { type ConnectorParts, connectorSettings, startConnectorSide } from './connector/start.ts';
import { beginEpoch } from './epoch.ts';
import { measureEdge } from './metrics.ts';
import { createRoutes } from './routes.ts';
import { startVisitors, visitorsSettings } from './visitors.ts';

/** The settings of the whole edge. */
export const edgeSettings = [...connectorSettings, ...visitorsSettings] as const;

/** A running edge: connectors on one side, visitors on the other. */
export interface Edge {
  readonly id: string;
  readonly connectors: Awaited<ReturnType<typeof startConnectorSide>>;
  readonly visitors: Awaited<ReturnType<typeof startVisitors>>;
  /** Takes nothing new, sends connectors to other edges, lets what runs finish, and ends what is left. */
  stop(): Promise<void>;
}

/** Starts an edge under a name of its own. @throws Error when a port is taken or a certificate is bad. */
export async function startEdge(
  settings: Settings<(typeof edgeSettings)[number]>,
  parts: Omit<ConnectorParts, 'edgeId'> & {
    /** Called when traffic was stored. */
    readonly onMeasured?: () => void;
  },
): Promise<Edge> {
  const id = randomUUID();
  const { sql, log } = parts;
  const routes = createRoutes(sql);
  // First of all: what an earlier start has left behind counts no longer when the first is let in.
  const epoch = await beginEpoch(sql, id, parts.changed, log);
  const undos = [epoch.end];
  try {
    const connectors = await startConnectorSide(settings, { ...parts, edgeId: id }, routes.forget);
    undos.unshift(connectors.stop);
    const visitors = await startVisitors(settings, {
      sql,
      log,
      edgeId: id,
      findRoute: routes.find,
      pick: (tunnelId) => connectors.registry.pick(tunnelId),
      onMeasured: parts.onMeasured,
    });
    measureEdge(connectors.registry, visitors);
    return {
      id,
      connectors,
      visitors,
      stop: async () => {
        connectors.close();
        const visitorsGone = visitors.stop();
        // Of an edge alone they would find a closed door meanwhile, and come back the later for it.
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
