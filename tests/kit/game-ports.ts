import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { jsonOf } from '@talpa/service-kit/database/sql';
import { onTestFinished } from 'vitest';
import type { TestProvider } from './embedded-provider.ts';
import { freePort } from './ports.ts';

/** A game server's port: every connection to it, and what came on each. */
export interface TestGameServer {
  readonly port: number;
  readonly sockets: Socket[];
  /** All bytes of all connections, as Latin-1. */
  received(): string;
}

/** Starts a game server. @param onSocket what it does with each connection; by default it sends back what it gets */
export async function startGameServer(
  onSocket: (socket: Socket) => void = (socket) => void socket.pipe(socket),
): Promise<TestGameServer> {
  const sockets: Socket[] = [];
  const received: Buffer[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => void received.push(piece));
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, sockets, received: () => Buffer.concat(received).toString('latin1') };
}

/** A player's connection. */
export interface TestPlayer {
  readonly socket: Socket;
  /** What has come, as Latin-1. */
  received(): string;
  /** Bytes that have come. */
  count(): number;
  /** How it ended: orderly, or broken off; undefined while it is open. */
  ended(): 'end' | 'reset' | undefined;
}

/** Connects to a public port. @param from the loopback address that it comes from */
export function join(
  port: number,
  { host = '127.0.0.1', from }: { host?: string; from?: string } = {},
): TestPlayer {
  const socket = connect({ host, port, noDelay: true, ...(from ? { localAddress: from } : {}) });
  const pieces: Buffer[] = [];
  let count = 0;
  let ended: 'end' | 'reset' | undefined;
  socket.on('data', (piece: Buffer) => {
    count += piece.length;
    pieces.push(piece);
  });
  socket.on('error', () => {
    ended ??= 'reset';
  });
  socket.once('end', () => {
    ended ??= 'end';
  });
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    received: () => Buffer.concat(pieces).toString('latin1'),
    count: () => count,
    ended: () => ended,
  };
}

interface PortValues {
  readonly tunnelId: string;
  readonly targetPort: number;
  readonly targetHost?: string;
  readonly rules?: object;
  readonly proxyProtocol?: boolean;
  readonly publicPort?: number;
  /** Whose it is; left out: a new proxy's. */
  readonly uuid?: string;
}

/** Makes a game port, as the service of proxies does. */
export async function addGamePort(
  { proxiesSql: sql }: TestProvider,
  {
    tunnelId,
    targetPort,
    targetHost = '127.0.0.1',
    rules = { kind: 'open' },
    proxyProtocol = false,
    uuid = randomUUID(),
    ...more
  }: PortValues,
) {
  const publicPort = more.publicPort ?? (await freePort());
  await sql`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    select ${uuid}, 1, 'Server', ${targetHost}, 1, ${`${uuid}.tunnel.localhost`}, 80, 'active'
    where not exists (select 1 from proxies where uuid = ${uuid})`;
  const [proxy] = await sql<{ id: number }[]>`
    update proxies set applied = ${sql.json({ tunnelId })} where uuid = ${uuid} returning id`;
  const [row] = await sql<{ id: number }[]>`
    insert into game_ports (proxy_id, proxy_uuid, user_id, public_port, target_host, target_port, preset, rules, proxy_protocol)
    values (${proxy?.id ?? 0}, ${uuid}, 1, ${publicPort}, ${targetHost}, ${targetPort}, 'minecraft', ${jsonOf(sql, rules)},
      ${proxyProtocol})
    returning id`;
  return { id: row?.id ?? 0, proxyId: proxy?.id ?? 0, publicPort };
}
