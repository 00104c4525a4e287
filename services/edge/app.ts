import { randomUUID } from 'node:crypto';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import { onceAMinute } from '@talpa/service-kit/once-a-minute';
import { createPasswords } from '@talpa/service-kit/passwords';
import type { Settings } from '@talpa/service-kit/settings';
import { followChanges, type Subscriber } from './changes/feed.ts';
import { beginEpoch } from './connectors/epoch.ts';
import { inTurns } from './connectors/in-turns.ts';
import { type ConnectorParts, startConnectorSide } from './connectors/start.ts';
import { refuseSharedPorts } from './game-ports/range.ts';
import { startGamePorts } from './game-ports/start.ts';
import { followGamePorts, type GamePortTable } from './game-ports/table.ts';
import { measureEdge } from './metrics.ts';
import { startPeers } from './peers/peers.ts';
import { keepRequests, type RequestsOut } from './requests/hand-on.ts';
import { createRequestLog } from './requests/request-log.ts';
import type { edgeSettingNames } from './settings.ts';
import { keepTraffic } from './traffic/store.ts';
import { createTraffic } from './traffic/traffic.ts';
import type { Front } from './visitors/front.ts';
import type { TunnelConnection, TunnelPorts } from './visitors/ports.ts';
import { createRoutes, type Routes } from './visitors/routes.ts';
import { startVisitorSide } from './visitors/start.ts';
import { createPassing } from './visitors/wall/passing.ts';
import { createServiceTokens } from './visitors/wall/service-tokens.ts';
import { createVisits } from './visitors/wall/visits.ts';
import { createWall } from './visitors/wall/wall.ts';

/** No host has it: a change that may concern all of them. */
const anyName = '*';

/** Who may have to leave stays for no longer than the database is away, and this. */
const recheckAgainMs = 1_000;

type EdgeSettings = Settings<(typeof edgeSettingNames)[number]>;

interface EdgeParts extends Omit<ConnectorParts, 'edgeId'> {
  /** Called when traffic was stored. */
  readonly onMeasured?: () => void;
  /** Where recorded requests go; left out: nowhere, and none is recorded. */
  readonly requestsOut?: RequestsOut | undefined;
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
  refuseSharedPorts(settings);
  const id = randomUUID();
  const { sql, log } = parts;
  const routes = createRoutes(sql);
  // First of all: what an earlier start has left behind counts no longer when the first is let in.
  const epoch = await beginEpoch(sql, id, parts.changed, log);
  const undos = [epoch.end];
  try {
    const changes = await followChanges(sql, log);
    undos.unshift(async () => changes.end());
    const gamePorts = settings.EDGE_TCP_PORTS && (await followGamePorts(sql, log));
    if (gamePorts) {
      undos.unshift(async () => gamePorts.stop());
      changes.subscribe({ port: gamePorts.refresh, missed: gamePorts.refresh });
    }
    const connectors = await startConnectorSide(settings, { ...parts, edgeId: id });
    undos.unshift(connectors.stop);
    changes.subscribe(connectors.changes);
    const visitors = await startVisitors(settings, {
      ...parts,
      edgeId: id,
      gamePorts,
      findRoute: routes.find,
      isKnown: routes.isKnown,
      findRule: routes.findRule,
      isThere: routes.isThere,
      pick: (tunnelId) => connectors.registry.pick(tunnelId),
    });
    undos.unshift(visitors.stop);
    const { front } = parts;
    changes.subscribe(changesOf(routes, visitors, front, log));
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
        changes.end();
        gamePorts?.stop();
        await connectors.stop();
        await epoch.end();
      },
    };
  } catch (error) {
    for (const undo of undos) await undo();
    throw error;
  }
}

/** What the visitors' side looks at anew after a change: where names lead, who may stay, and certificates. */
function changesOf(
  routes: Routes,
  visitors: Pick<Edge['visitors'], 'recheck' | 'recheckTunnels'>,
  front: Front | null | undefined,
  log: Log,
): Subscriber {
  const recheckNames = inTurns((names) =>
    visitors.recheck(names.includes(anyName) ? undefined : new Set(names)),
  );
  const recheckTunnels = inTurns((tunnelIds) => visitors.recheckTunnels(new Set(tunnelIds)));
  const logFailed = onceAMinute((error: unknown) =>
    log.warn({ err: error }, 'visitors could not be checked after a change, retrying'),
  );
  const recheck = (look: (what: string) => Promise<void>, what: string): void =>
    void look(what).catch((error: unknown) => {
      logFailed(error);
      setTimeout(() => recheck(look, what), recheckAgainMs).unref();
    });
  return {
    config: (tunnelId) => {
      routes.forget();
      recheck(recheckTunnels, tunnelId);
    },
    host: (name) => {
      routes.forget(name);
      recheck(recheckNames, name);
    },
    certificate: () => front?.certificates.forget(),
    missed: () => {
      routes.forget();
      recheck(recheckNames, anyName);
      front?.certificates.forget();
    },
  };
}

/** Hashing a PIN or a password takes 19 MB and 30 ms: visitors' tries must leave the processor to others. */
const hashesAtOnce = 1;

async function wallOf({ PUBLIC_URL: panelUrl }: EdgeSettings, sql: Sql) {
  const passing = createPassing(sql, await createPasswords(hashesAtOnce));
  return createWall({ visits: createVisits(sql), tokens: createServiceTokens(sql), passing, panelUrl });
}

interface VisitorsParts
  extends Pick<EdgeParts, 'sql' | 'log' | 'onMeasured' | 'requestsOut' | 'front'>,
    Pick<TunnelPorts, 'findRoute' | 'findRule' | 'isKnown' | 'isThere'> {
  /** The `edge_id` of the connections held by this process. */
  readonly edgeId: string;
  /** Null: EDGE_TCP_PORTS is empty. */
  readonly gamePorts: GamePortTable | null;
  /** A live connection held by this process. */
  readonly pick: (tunnelId: string) => TunnelConnection | null;
}

/** Listens for visitors and other edges, and keeps the traffic they bring. */
async function startVisitors(settings: EdgeSettings, parts: VisitorsParts) {
  const { sql, log } = parts;
  const traffic = createTraffic();
  const requests = parts.requestsOut ? createRequestLog() : null;
  const { edgeId, gamePorts: table } = parts;
  const mayDial = table?.mayDial;
  const peers = await startPeers(settings, sql, edgeId, parts.pick, log, mayDial);
  const { findRoute, findRule, isKnown, isThere } = parts;
  const ports = { findRoute, findRule, isKnown, isThere, pick: peers.pick };
  const side = await startVisitorSide(
    settings,
    ports,
    await wallOf(settings, sql),
    traffic,
    log,
    parts.front,
    requests,
  ).catch(async (error: unknown) => {
    await peers.close();
    throw error;
  });
  const { EDGE_TCP_PORTS: range } = settings;
  const gameParts = { sql, log, edgeId, pick: peers.pick, traffic };
  const gamePorts = table && range && (await startGamePorts(settings, range, { ...gameParts, table }));
  const stopTraffic = keepTraffic(sql, traffic, log, parts.onMeasured);
  const stopRequests =
    requests && parts.requestsOut ? keepRequests(requests, parts.requestsOut, log) : async () => {};
  return {
    httpPort: side.httpPort,
    httpsPort: side.httpsPort,
    running: () => side.running(),
    recheck: side.recheck,
    recheckTunnels: side.recheckTunnels,
    sockets: () => side.sockets(),
    gamePorts,
    hasPeers: () => peers.areThere(),
    /** Takes nothing new, lets what runs finish (EDGE_DRAIN_MS), and stores the last figures. */
    stop: async () => {
      await Promise.all([side.stop(), peers.close(), gamePorts?.stop()]);
      peers.destroy();
      await Promise.all([stopTraffic(), stopRequests()]);
    },
  };
}
