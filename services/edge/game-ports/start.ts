import type { Socket } from 'node:net';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import type { PortRange } from '@talpa/service-kit/settings/forms';
import { plainAddress } from '@talpa/service-kit/trust-proxy';
import { inTurns } from '../connectors/in-turns.ts';
import { edgeMeter, type PortRefusal } from '../metrics.ts';
import type { Traffic } from '../traffic/traffic.ts';
import type { TunnelPorts } from '../visitors/ports.ts';
import { PortConnection, type PortRoute } from './connection.ts';
import { createGamePortLimits, type GamePortLimitSettings } from './limits.ts';
import { createPortListeners } from './listeners.ts';
import { createOpenConnections } from './open-connections.ts';
import { isWithin } from './range.ts';
import type { GamePort } from './rows.ts';
import type { GamePortTable } from './table.ts';
import { createPortTraffic, forgetOldPortTraffic, storeConnections } from './traffic.ts';

export interface GamePortSettings extends GamePortLimitSettings {
  readonly EDGE_HOST: string;
  readonly EDGE_TCP_HOST?: string | undefined;
  readonly EDGE_TCP_IDLE_TIMEOUT_MS: number;
  readonly EDGE_DRAIN_MS: number;
}

interface GamePortParts {
  readonly sql: Sql;
  readonly log: Log;
  readonly edgeId: string;
  readonly table: GamePortTable;
  readonly pick: TunnelPorts['pick'];
  /** What proxies carry in all, game ports among it. */
  readonly traffic: Traffic;
}

/** The game ports of a running edge. */
export interface GamePorts {
  /** The public ports that are open. */
  publicPorts(): readonly number[];
  /** How many connections are open. */
  connections(): number;
  /** Ends what lies still too long; called each second, and by tests with a time of theirs. */
  sweep(now?: number): void;
  /** Stores what was counted; called every few seconds. */
  flush(): Promise<void>;
  /** Takes nothing new, lets connections go on for EDGE_DRAIN_MS, and stores the last figures. */
  stop(): Promise<void>;
}

const sweepMs = 1_000;
const flushMs = 5_000;
const forgetMs = 3_600_000;

/** Opens the public ports of the table, as far as they are in EDGE_TCP_PORTS, and carries their connections. */
export async function startGamePorts(
  settings: GamePortSettings,
  range: PortRange,
  parts: GamePortParts,
): Promise<GamePorts> {
  const { sql, log, edgeId, table } = parts;
  const counts = createPortTraffic();
  const limits = createGamePortLimits(settings);
  const open = createOpenConnections(table, settings.EDGE_TCP_IDLE_TIMEOUT_MS);

  const accept = (publicPort: number, socket: Socket) => {
    const port = table.get(publicPort);
    const { remoteAddress } = socket;
    if (!port || !remoteAddress) return void socket.destroy();
    const address = plainAddress(remoteAddress);
    const refused = (reason: PortRefusal) => {
      counts.of(port.id).refused += 1;
      edgeMeter.portRefused(reason);
    };
    const limit = limits.enter(port.id, address);
    const route = limit ?? routeOf(port, address, table.isCurrent());
    if (typeof route === 'string') {
      if (!limit) limits.leave(port.id, address);
      refused(route);
      return void socket.destroy();
    }
    const connection = new PortConnection({
      socket,
      address,
      port: route,
      pick: parts.pick,
      watch: {
        opened: () => {
          const one = counts.of(port.id);
          one.connections += 1;
          one.lastAt = Date.now();
          edgeMeter.portConnected();
        },
        moved: (direction, bytes) => {
          counts.of(port.id)[direction] += bytes;
          parts.traffic.of(route.proxyId)[direction] += bytes;
          edgeMeter.portCarried(direction, bytes);
        },
        refused,
        ended: () => {
          limits.leave(port.id, address);
          open.remove(connection);
        },
      },
    });
    open.add(connection);
    void connection.dial();
  };
  const listeners = createPortListeners(settings.EDGE_TCP_HOST ?? settings.EDGE_HOST, accept, log);
  const listen = () => {
    const ports = [...table.all()].map(({ publicPort }) => publicPort);
    return listeners.set(new Set(ports.filter((port) => isWithin(range, port))));
  };
  const listenInTurn = inTurns(listen);
  const attempt = (work: Promise<void>, what: string) =>
    work.catch((error: unknown) => log.warn({ err: error }, `${what}, retrying`));
  table.onLook = (changed) => {
    open.recheck(changed);
    void attempt(listenInTurn(''), 'game ports could not be opened or closed');
  };
  await listen();
  const flush = () =>
    attempt(
      counts.flush(sql).then(() => {
        const closed = listeners.failed().flatMap((port) => table.get(port)?.id ?? []);
        return storeConnections(sql, edgeId, open.byPort(), closed);
      }),
      'storing the traffic of game ports failed',
    );
  const timers = [
    setInterval(() => open.sweep(), sweepMs),
    setInterval(flush, flushMs),
    setInterval(
      () => attempt(forgetOldPortTraffic(sql), 'deleting old traffic of game ports failed'),
      forgetMs,
    ),
  ];
  return {
    publicPorts: listeners.open,
    connections: open.count,
    sweep: open.sweep,
    flush,
    stop: async () => {
      listeners.close();
      await open.drain(settings.EDGE_DRAIN_MS);
      for (const timer of timers) clearInterval(timer);
      await flush();
    },
  };
}

/** Where a visitor's connection leads, or why it is refused. */
function routeOf(port: GamePort, address: string, isCurrent: boolean): PortRoute | PortRefusal {
  const { proxyId, tunnelId, target } = port;
  if (port.isSuspended) return 'suspended';
  if (!port.allows(address) || (port.isRestricted && !isCurrent)) return 'rules';
  if (proxyId === null || tunnelId === null) return 'no_connector';
  if (target === null) return 'unreachable';
  return { ...port, proxyId, tunnelId, target };
}
