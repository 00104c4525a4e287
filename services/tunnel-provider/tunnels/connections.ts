import { z } from 'zod';
import { operation, tunnelId } from '../api/operation.ts';
import { findTunnel, lockTunnel } from './sql.ts';

interface ConnectionRow {
  id: string;
  clientId: string;
  clientVersion: string;
  arch: string;
  features: string[];
  coloName: string;
  originIp: string;
  configVersion: number | null;
  runAt: Date;
  openedAt: Date;
}

/** The connectors of a tunnel and the connections each holds open. */
export const listConnections = operation({
  name: 'listConnections',
  input: z.object({ tunnelId }),
  run: async ({ sql }, input) => {
    await findTunnel(sql, input.tunnelId);
    const rows = await sql<ConnectionRow[]>`
      select * from live_connections where tunnel_id = ${input.tunnelId} order by run_at, opened_at`;
    return [...Map.groupBy(rows, (row) => row.clientId).values()].flatMap(connectorView);
  },
});

/** Cuts connectors off; they may come back while their token is good. */
export const dropConnections = operation({
  name: 'dropConnections',
  input: z.object({ tunnelId, client_id: z.uuid().optional() }),
  run: async ({ sql }, input) =>
    sql.begin(async (tx) => {
      await lockTunnel(tx, input.tunnelId);
      const { client_id: clientId } = input;
      const { count } = await tx`
        delete from connections
        where tunnel_id = ${input.tunnelId} ${clientId ? tx`and client_id = ${clientId}` : tx``}`;
      if (count > 0) await tx`select mark_inactive(array[${input.tunnelId}]::uuid[])`;
      return null;
    }),
});

function connectorView(rows: readonly ConnectionRow[]) {
  const [first] = rows;
  if (!first) return [];
  return {
    id: first.clientId,
    arch: first.arch,
    version: first.clientVersion,
    features: first.features,
    run_at: first.runAt.toISOString(),
    config_version: first.configVersion ?? 0,
    conns: rows.map((row) => ({
      id: row.id,
      uuid: row.id,
      colo_name: row.coloName,
      client_id: row.clientId,
      client_version: row.clientVersion,
      origin_ip: row.originIp,
      opened_at: row.openedAt.toISOString(),
      is_pending_reconnect: false,
    })),
  };
}
