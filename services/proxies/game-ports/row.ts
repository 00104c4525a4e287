import { isIP } from 'node:net';
import {
  type GamePort,
  type GamePortInput,
  type GamePortPreset,
  type GamePortRules,
  type GamePortState,
  gamePortRules,
} from '@talpa/contracts';
import { isConnected } from '@talpa/contracts/status';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { ProxyRow } from '../proxy/row.ts';
import { suspensionOf } from '../proxy/suspension.ts';
import type { ProxiesSettings } from '../settings.ts';
import { availabilityOf } from './availability.ts';
import type { PortUse } from './traffic.ts';

export interface GamePortRow {
  id: number;
  proxyId: number;
  userId: number;
  publicPort: number;
  targetHost: string;
  targetPort: number;
  preset: GamePortPreset;
  rules: GamePortRules;
  proxyProtocol: boolean;
  createdAt: Date;
}

const columns = (sql: AnySql) => sql`
  id, proxy_id, user_id, public_port, target_host, target_port, preset, rules, proxy_protocol, created_at`;
/** As the contract orders the fields: `jsonb` does not keep their order, and a conflict of edits compares the text. */
const parsed = (row: GamePortRow): GamePortRow => ({ ...row, rules: gamePortRules.parse(row.rules) });

/** The game ports of these proxies, the oldest first. */
export async function gamePortsOf(sql: AnySql, proxyIds: readonly number[]): Promise<GamePortRow[]> {
  const rows = await sql<GamePortRow[]>`
    select ${columns(sql)} from game_ports where proxy_id in ${sql([0, ...proxyIds])} and removed_at is null order by id`;
  return rows.map(parsed);
}

/** A game port of a proxy. @throws AppError `game_port_not_found` */
export async function findGamePort(sql: AnySql, id: number, proxyId: number): Promise<GamePortRow> {
  const [row] = await sql<GamePortRow[]>`
    select ${columns(sql)} from game_ports where id = ${id} and proxy_id = ${proxyId} and removed_at is null`;
  if (!row) throw new AppError('game_port_not_found');
  return parsed(row);
}

/** How many game ports a user has, of all proxies. */
export async function countGamePorts(sql: AnySql, userId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from game_ports where user_id = ${userId} and removed_at is null`;
  return row?.count ?? 0;
}

/** What its owner exports. */
export const exportedPort = (row: GamePortRow) => ({
  id: row.id,
  publicPort: row.publicPort,
  targetHost: row.targetHost,
  ...inputOf(row),
  createdAt: row.createdAt.toISOString(),
});

/** What its owner chose. */
const inputOf = ({ targetPort, preset, rules, proxyProtocol }: GamePortInput): GamePortInput => ({
  targetPort,
  preset,
  rules,
  proxyProtocol,
});

const noUse: PortUse = {
  traffic: {
    bytesIn: 0,
    bytesOut: 0,
    bytesInDay: 0,
    bytesOutDay: 0,
    connections: 0,
    refused: 0,
    open: 0,
    lastConnectionAt: null,
  },
  isClosed: false,
};

/** A game port as the API shows it. @param use left out: nobody has connected */
export function publicGamePort(
  row: GamePortRow,
  proxy: ProxyRow,
  settings: Pick<ProxiesSettings, 'TUNNEL_PROVIDER' | 'EDGE_TCP_PORTS'>,
  { traffic, isClosed }: PortUse = noUse,
): GamePort {
  return { ...exportedPort(row), state: stateOf(row, proxy, settings, isClosed), traffic };
}

function stateOf(
  { publicPort, targetHost }: GamePortRow,
  proxy: ProxyRow,
  settings: Pick<ProxiesSettings, 'TUNNEL_PROVIDER' | 'EDGE_TCP_PORTS'>,
  isClosed: boolean,
): GamePortState {
  const { EDGE_TCP_PORTS: range } = settings;
  if (range === null || availabilityOf(settings) !== 'available') return 'off';
  if (suspensionOf(proxy)) return 'suspended';
  if (publicPort < range.first || publicPort > range.last) return 'out_of_range';
  if (isIP(targetHost) === 0) return 'no_address';
  if (isClosed) return 'not_opened';
  return isConnected(proxy.tunnelHealth) ? 'open' : 'no_connector';
}
