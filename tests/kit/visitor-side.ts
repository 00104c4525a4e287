import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '@talpa/service-kit/log';
import { readSettings } from '@talpa/service-kit/settings';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createRequestLog, type RequestLog } from '../../services/edge/requests/request-log.ts';
import { edgeSettingNames } from '../../services/edge/settings.ts';
import { createTraffic, type Traffic } from '../../services/edge/traffic/traffic.ts';
import type { Gate, TunnelPorts } from '../../services/edge/visitors/ports.ts';
import { RouteUnavailable } from '../../services/edge/visitors/route-unavailable.ts';
import { startVisitorSide, type VisitorSide } from '../../services/edge/visitors/start.ts';
import { createWall } from '../../services/edge/visitors/wall/wall.ts';
import { connectPair, proxyTo, type TestConnection } from './tunnel-connection.ts';

export const host = 'srv.tunnel.localhost';

/** The visitor's side of an edge, before one tunnel `t1` with the proxy `p1` of a host, whose connector asks an origin. */
export interface TestVisitorSide {
  readonly port: number;
  readonly httpsPort: number;
  readonly side: VisitorSide;
  readonly traffic: Traffic;
  readonly requests: RequestLog;
  /** What answers behind the tunnel; to be set by each test. */
  origin: RequestListener;
  readonly originServer: Server;
  /** The policy of the host; left out: everyone may visit it. */
  gate: Gate | undefined;
  /** What the look for each route waits for; left out: nothing. */
  routesFound: (() => Promise<void>) | undefined;
  /** The tunnel's connections; a test may add, cut and change them. */
  connections: TestConnection[];
  /** Adds a connection whose connector asks the origin. */
  connect(): Promise<TestConnection>;
}

/** A wall without a database: it lets nobody pass. */
const away = async () => {
  throw new RouteUnavailable(new Error('there is no database'));
};
export const noWall = createWall({
  visits: { find: away, forget: () => {} },
  tokens: { find: away, forget: () => {} },
  passing: { trySecret: away, redeem: away, requestCode: away, tryCode: away },
  panelUrl: undefined,
});
const quiet = createLog('edge', 'fatal');

/** The settings' defaults on free ports, with changes. */
export function settingsOf(changes: Record<string, string> = {}) {
  return readSettings(edgeSettingNames, {
    TUNNEL_PUBLIC_PORT: '0',
    EDGE_HOST: '127.0.0.1',
    EDGE_DRAIN_MS: '2000',
    ...changes,
  });
}

/** Starts a visitor's side before a file's tests; each test begins with one connection. */
export function useVisitorSide(changes: Record<string, string> = {}): TestVisitorSide {
  let side: VisitorSide | undefined;
  let turn = 0;
  const started = () => {
    if (!side) throw new Error('the visitor’s side has not been started');
    return side;
  };
  const originServer = createServer((request, response) => test.origin(request, response));
  const ports: TunnelPorts = {
    findRoute: async (name) => {
      await test.routesFound?.();
      if (name === `off.${host}`) return { proxyId: 'p2', tunnelId: 't1', suspended: true };
      return name === host ? { proxyId: 'p1', tunnelId: 't1', ...(test.gate && { gate: test.gate }) } : null;
    },
    findRule: async () => 1,
    isThere: async () => true,
    isKnown: (name) => name === host,
    pick: () => {
      const live = test.connections.filter(({ edge }) => !edge.destroyed && !edge.closed);
      turn += 1;
      return live[turn % live.length] ?? null;
    },
  };
  const test: TestVisitorSide = {
    get port() {
      return started().httpPort;
    },
    get httpsPort() {
      return started().httpsPort ?? 0;
    },
    get side() {
      return started();
    },
    traffic: createTraffic(),
    requests: createRequestLog(),
    origin: (_request, response) => response.end(),
    originServer,
    gate: undefined,
    routesFound: undefined,
    connections: [],
    connect: async () => {
      const { port } = originServer.address() as AddressInfo;
      const connection = await connectPair(proxyTo(port));
      test.connections.push(connection);
      return connection;
    },
  };
  const cut = () => {
    for (const { edge, socket } of test.connections) {
      edge.destroy();
      socket.destroy();
    }
    test.connections = [];
  };
  beforeAll(async () => {
    originServer.listen(0, '127.0.0.1');
    await once(originServer, 'listening');
    const { requests, traffic } = test;
    side = await startVisitorSide(settingsOf(changes), ports, noWall, traffic, quiet, null, requests);
  });
  afterEach(cut);
  afterAll(async () => {
    cut();
    await side?.stop();
    originServer.closeAllConnections();
    originServer.close();
  });
  return test;
}
