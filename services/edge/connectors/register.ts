import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { AnySql, Sql } from '@talpa/service-kit/database/sql';
import { findConfiguration, isSuspended, type RemoteConfiguration } from './configuration.ts';
import type { ConnectorConnection } from './connection.ts';
import type { RegisterRequest } from './protocol/registration.ts';
import type { Registry } from './registry.ts';
import { insertConnection, maximumPerTunnel } from './rows.ts';

/** What registering stands on. */
export interface RegisterContext {
  readonly sql: Sql;
  readonly registry: Registry<ConnectorConnection>;
  readonly edgeId: string;
  readonly location: string;
}

/** Why a connector is not let in, in the words connectors know. */
export class Refusal extends Error {
  /** When it may try again; null: only with another token. */
  readonly retryAfterMs: number | null;
  constructor(cause: string, retryAfterMs: number | null) {
    super(cause);
    this.retryAfterMs = retryAfterMs;
  }
}

export interface Registered {
  readonly id: string;
  readonly remotelyManaged: boolean;
  readonly configuration: RemoteConfiguration | null;
}

interface TunnelRow {
  id: string;
  configSrc: string;
  secretHash: Buffer;
  deletedAt: Date | null;
}

const maximumIndex = 3;
const aliveMs = 2_000;
const suspendedRetryMs = 30_000;
const unauthorized = () => new Refusal('Unauthorized: Invalid tunnel secret', null);

/**
 * Lets a connection in: checks the secret and what the tunnel allows, and writes its row. The tunnel's row is
 * locked meanwhile, so that a deletion or suspension either comes first or finds the connection.
 * @throws Refusal
 */
export async function register(
  context: RegisterContext,
  request: RegisterRequest,
  originIp: string,
): Promise<Registered> {
  if (request.index > maximumIndex) throw new Refusal('Too many connections of one connector', null);
  // Nobody without the secret learns, or disturbs, what is connected.
  await findProved(context.sql, request);
  await refuseDuplicate(context, request);
  return context.sql.begin(async (tx) => {
    await tx`select 1 from tunnel_provider.tunnels where id = ${request.tunnelId} for update`;
    const tunnel = await findProved(tx, request);
    const configuration = await findConfiguration(tx, tunnel.id);
    if (isSuspended(configuration)) throw new Refusal('Tunnel is suspended', suspendedRetryMs);
    const [held] = await tx<{ count: number }[]>`
      select count(*)::integer as count from tunnel_provider.live_connections
      where tunnel_id = ${tunnel.id} and (client_id, conn_index) <> (${request.connectorId}, ${request.index})`;
    if ((held?.count ?? 0) >= maximumPerTunnel)
      throw new Refusal('Too many connections of one tunnel', suspendedRetryMs);
    const id = randomUUID();
    const { edgeId, location } = context;
    await insertConnection(tx, { ...request, id, edgeId, location, originIp });
    return { id, remotelyManaged: tunnel.configSrc === 'cloudflare', configuration };
  });
}

/** The tunnel whose secret the connector has shown. @throws Refusal */
async function findProved(sql: AnySql, request: RegisterRequest): Promise<TunnelRow> {
  const [tunnel] = await sql<TunnelRow[]>`
    select id, config_src, deleted_at, secret_hash from tunnel_provider.tunnels where id = ${request.tunnelId}`;
  if (!tunnel || !isSecret(tunnel.secretHash, request.secret)) throw unauthorized();
  if (tunnel.deletedAt) throw new Refusal('Unauthorized: Tunnel was deleted', null);
  return tunnel;
}

/** A connection that is there already stays; only one that no longer responds, or whose connector asks for it, gives way. */
async function refuseDuplicate({ registry }: RegisterContext, request: RegisterRequest): Promise<void> {
  const earlier = registry
    .of(request.tunnelId)
    .find(
      ({ connectorId, index, draining }) =>
        connectorId === request.connectorId && index === request.index && !draining,
    );
  if (!earlier) return;
  if (!request.replaceExisting && (await earlier.isAlive(aliveMs))) throw new Refusal('EDUPCONN', 1_000);
  earlier.destroy();
}

/** In constant time: digests have one length, whatever was sent. */
function isSecret(secretHash: Buffer, given: Buffer): boolean {
  return timingSafeEqual(secretHash, createHash('sha256').update(given).digest());
}
