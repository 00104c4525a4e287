import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { jsonOf } from '@talpa/service-kit/database/sql';
import { proxyTo, startTestConnector } from '@talpa/test-kit/connector/connector';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { addGamePort, join, startGameServer, type TestPlayer } from '@talpa/test-kit/game-ports';
import { freePort } from '@talpa/test-kit/ports';
import { useStores } from '@talpa/test-kit/stores';
import type { OnStream } from '@talpa/test-kit/tunnel-connection';
import { holdJobs, until } from '@talpa/test-kit/wait';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const provider = useProvider(useStores());
const peers = {
  EDGE_PEER_SECRET: 'a-secret-that-all-edges-of-this-test-share',
  EDGE_PEER_HOST: '127.0.0.1',
  EDGE_PEER_PORT: '0',
};
const test = useEdge(provider, {
  EDGE_TCP_HOST: '::',
  EDGE_TCP_PORTS: '1024-65535',
  EDGE_TCP_VISITOR_CONNECTION_LIMIT: '8',
  EDGE_DRAIN_MS: '100',
  ...peers,
});
const tunnels = '/client/v4/accounts/account1/cfd_tunnel';
/** What connectors were asked to dial. */
let dialled: unknown[] = [];
let tunnelId = '';
let token = '';
let connector: Awaited<ReturnType<typeof startTestConnector>> | undefined;

const connect = async (edge = test.edge) => {
  const onStream: OnStream = (stream, headers) => {
    dialled.push(headers[':authority']);
    proxyTo(1)(stream, headers);
  };
  const options = { port: edge.connectors.port, ca: test.ca, token, onStream };
  connector = await startTestConnector(options);
};
const disconnect = async () => {
  connector?.kill();
  connector = undefined;
  await until('no connector', () => test.edge.connectors.registry.size === 0);
};

beforeEach(async () => {
  dialled = [];
  const { body } = await provider.send('POST', tunnels, {
    name: `t${randomUUID()}`,
    config_src: 'cloudflare',
  });
  ({ id: tunnelId, token } = body.result as { id: string; token: string });
  await connect();
});
afterEach(async () => {
  await disconnect();
  await provider.proxiesSql`update game_ports set removed_at = now() where removed_at is null`;
});

/** A game port that leads to a game server, open at the edge. */
async function open(more: Partial<Parameters<typeof addGamePort>[1]> = {}, server = startGameServer()) {
  const { port: targetPort } = await server;
  const port = await addGamePort(provider, { tunnelId, targetPort, ...more });
  await until('the public port', () => isOpen(port.publicPort));
  return { ...port, server: await server };
}
const isOpen = (port: number) => test.edge.visitors.gamePorts?.publicPorts().includes(port);
const set = (portId: number, rules: object) =>
  provider.proxiesSql`update game_ports set rules = ${jsonOf(provider.proxiesSql, rules)} where id = ${portId}`;
const rule = (action: string, match: object, expiresAt: string | null = null) => ({
  action,
  match,
  expiresAt,
});
const only = (network: string, expiresAt: string | null = null) => ({
  kind: 'rules',
  otherwise: 'deny',
  rules: [rule('allow', { by: 'address', network }, expiresAt)],
});
/** A player who says hello; null: the edge does not let them in. */
async function tryToPlay(port: number, options?: Parameters<typeof join>[1]) {
  const player = join(port, options);
  player.socket.write('hello');
  await until('an answer', () => player.received() === 'hello' || player.ended());
  return player.ended() ? null : player;
}
async function play(port: number, options?: Parameters<typeof join>[1]) {
  const player = await tryToPlay(port, options);
  if (!player) throw new Error('the player was not let in');
  return player;
}

it('carries 20 MB both ways without loss, and the end of what the player sends after what the game server still answers', async () => {
  const { publicPort } = await open();
  const body = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at % 251));
  const player = join(publicPort);
  for (let part = 0; part < 20_000; part += 1) player.socket.write(body);
  player.socket.end();
  await until('all of it', () => player.count() === 20_000_000);
  expect(player.received()).toBe(body.toString('latin1').repeat(20_000));
  expect(player.ended()).toBeUndefined();
  test.edge.visitors.gamePorts?.sweep(performance.now() + 6_000);
  await until('the end', () => player.ended() === 'end');
});

it('gives the player the last bytes of a game server that ends, though they are still sending', async () => {
  const server = startGameServer((socket) => {
    socket.once('data', () => socket.end('x'.repeat(2_000_000)));
  });
  const { publicPort, server: game } = await open({}, server);
  const player = join(publicPort);
  player.socket.pause();
  const sending = setInterval(() => player.socket.writable && player.socket.write('move'), 1);
  await until('the game server’s end', () => game.sockets[0]?.destroyed);
  player.socket.resume();
  await until('the end', () => player.ended());
  clearInterval(sending);
  expect([player.ended(), player.count()]).toEqual(['end', 2_000_000]);
  test.edge.visitors.gamePorts?.sweep(performance.now() + 6_000);
  await until('no connection', () => test.edge.visitors.gamePorts?.connections() === 0);
});

it('while the database cannot be read, nobody is let in by rules that may have changed', async () => {
  const [restricted, everyone] = [await open({ rules: only('127.0.0.0/8') }), await open()];
  await play(restricted.publicPort);
  await provider.proxiesOwnerSql`alter table game_ports rename to game_ports_elsewhere`;
  let players = 1;
  await until('rules not to be trusted', async () => {
    players += 1;
    return (await tryToPlay(restricted.publicPort, { from: `127.0.1.${players}` })) === null;
  });
  await play(everyone.publicPort);
  await provider.proxiesOwnerSql`alter table game_ports_elsewhere rename to game_ports`;
  await until('rules to be read', async () => {
    players += 1;
    return (await tryToPlay(restricted.publicPort, { from: `127.0.1.${players}` })) !== null;
  });
});

it('begins with the player’s address in the PROXY protocol, of IPv4 and IPv6', async () => {
  const { publicPort, server } = await open({ proxyProtocol: true });
  const four = join(publicPort, { from: '127.0.0.7' });
  four.socket.write('hello');
  const signature = '\r\n\r\n\0\r\nQUIT\n';
  await until('the header', () => server.received().endsWith('hello'));
  const ports = (player: typeof four) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt16BE(player.socket.localPort ?? 0, 0);
    bytes.writeUInt16BE(publicPort, 2);
    return bytes.toString('latin1');
  };
  expect(server.received()).toBe(`${signature}\x21\x11\0\x0c\x7f\0\0\x07\x7f\0\0\x01${ports(four)}hello`);
  const before = server.received().length;
  const six = join(publicPort, { host: '::1' });
  six.socket.write('hello');
  await until('the header', () => server.received().length > before && server.received().endsWith('hello'));
  const local = `${'\0'.repeat(15)}\x01`;
  expect(server.received().slice(before)).toBe(
    `${signature}\x21\x21\0\x24${local}${local}${ports(six)}hello`,
  );
});

describe('rules', () => {
  it('let in and refuse by network, IPv6 too, before anything reaches the game server', async () => {
    const { publicPort, server, id } = await open({ rules: only('127.0.0.4/30') });
    await play(publicPort, { from: '127.0.0.5' });
    expect(await tryToPlay(publicPort, { from: '127.0.0.8' })).toBeNull();
    expect(await tryToPlay(publicPort, { host: '::1' })).toBeNull();
    expect(server.sockets).toHaveLength(1);
    await set(id, only('::1/128'));
    await until('the change', () => tryToPlay(publicPort, { host: '::1' }));
  });

  it('of a kind that this version does not know refuse everyone', async () => {
    const { publicPort } = await open({ rules: { kind: 'quiz' } });
    expect(await tryToPlay(publicPort)).toBeNull();
  });

  it('that are changed end connections they no longer let in, and no others', async () => {
    const { publicPort, id } = await open();
    const [stays, leaves] = [await play(publicPort), await play(publicPort, { from: '127.0.0.9' })];
    await set(id, only('127.0.0.1'));
    await until('the end', () => leaves.ended());
    stays.socket.write('!');
    await until('the echo', () => stays.received() === 'hello!');
  });

  it('that expire end connections, too', async () => {
    const soon = new Date(Date.now() + 1_500).toISOString();
    const { publicPort } = await open({ rules: only('127.0.0.1', soon) });
    const player = await play(publicPort);
    await until('the end', () => player.ended());
    expect(await tryToPlay(publicPort)).toBeNull();
  });
});

describe('what ends connections, and is refused from then on', () => {
  const player = async () => {
    const port = await open();
    return { ...port, one: await play(port.publicPort) };
  };
  const sql = () => provider.proxiesSql;

  it('a removed port: it is closed, and opened for the next one', async () => {
    const { one, id, publicPort } = await player();
    await sql()`update game_ports set removed_at = now() where id = ${id}`;
    await until('the end', () => one.ended());
    await until('the closed port', () => !isOpen(publicPort));
    const { port: targetPort } = await startGameServer();
    await addGamePort(provider, { tunnelId, targetPort, publicPort });
    await until('the next one', () => isOpen(publicPort));
    await play(publicPort);
  });

  it('a suspended owner, and a suspended proxy', async () => {
    for (const column of ['owner_suspended_at', 'suspended_at']) {
      const { one, proxyId, publicPort } = await player();
      await sql()`update proxies set ${sql()(column)} = now() where id = ${proxyId}`;
      await until('the end', () => one.ended());
      expect(await tryToPlay(publicPort)).toBeNull();
      await sql()`update proxies set ${sql()(column)} = null where id = ${proxyId}`;
      await until('to be let in again', () => tryToPlay(publicPort));
    }
  });

  it('a deleted proxy, and one whose server has another address', async () => {
    const deleted = await player();
    await sql()`update proxies set removed_at = now() where id = ${deleted.proxyId}`;
    await until('the end', () => deleted.one.ended());
    await until('the closed port', () => !isOpen(deleted.publicPort));
    const moved = await player();
    await sql()`update proxies set server_ip = '127.0.0.3' where id = ${moved.proxyId}`;
    await until('the end', () => moved.one.ended());
  });
});

it('a change is followed as soon as it is notified, without waiting for the next look', async () => {
  onTestFinished(holdJobs(1_000));
  const still = await test.another({ EDGE_TCP_HOST: '127.0.0.4' });
  onTestFinished(() => still.stop());
  const { port: targetPort } = await startGameServer();
  const { publicPort, id } = await addGamePort(provider, { tunnelId, targetPort });
  const ports = () => still.visitors.gamePorts?.publicPorts() ?? [];
  await until('the public port', () => ports().includes(publicPort));
  await provider.proxiesSql`update game_ports set removed_at = now() where id = ${id}`;
  await until('the closed port', () => !ports().includes(publicPort));
});

it('a lost notification costs a second', async () => {
  const { publicPort, id } = await open();
  const one = await play(publicPort);
  await provider.proxiesOwnerSql`alter table game_ports disable trigger game_port_changed`;
  await set(id, only('127.0.0.200'));
  await until('the end', () => one.ended());
  await provider.proxiesOwnerSql`alter table game_ports enable trigger game_port_changed`;
});

it('nobody chooses what is dialled: bytes are bytes, and a name in the table is never dialled', async () => {
  const { publicPort, server } = await open();
  const attack = '127.0.0.1:22\r\nHost: 127.0.0.1:22\r\nCf-Cloudflared-Proxy-Src: 1.2.3.4\r\n\r\n';
  const player = join(publicPort);
  player.socket.write(attack);
  await until('the echo', () => player.received() === attack);
  expect(server.received()).toBe(attack);
  const named = await open({ targetHost: 'localhost' });
  expect(await tryToPlay(named.publicPort)).toBeNull();
  expect(dialled).toEqual([`127.0.0.1:${server.port}`]);
});

it('players of one address who connect and send nothing hold no more than their share, and others get in', async () => {
  const { publicPort, server } = await open(
    {},
    startGameServer(() => {}),
  );
  const silent = Array.from({ length: 12 }, () => join(publicPort));
  await until('the refusals', () => silent.filter((one) => one.ended()).length === 4);
  await until('the others', () => server.sockets.length === 8);
  const other = join(publicPort, { from: '127.0.0.2' });
  await until('the other', () => server.sockets.length === 9);
  silent.find((one) => !one.ended())?.socket.resetAndDestroy();
  await until('room', async () => {
    const next = join(publicPort);
    await Promise.race([once(next.socket, 'close'), until('it', () => server.sockets.length === 10)]);
    return !next.ended();
  });
  expect(other.ended()).toBeUndefined();
});

it('without a connector it refuses, and carries again when that is back', async () => {
  const { publicPort } = await open();
  const one = await play(publicPort);
  await disconnect();
  await until('the end', () => one.ended() === 'reset');
  expect(await tryToPlay(publicPort)).toBeNull();
  await connect();
  await play(publicPort);
});

it('reaches a connector at another edge', async () => {
  // It opens no port itself, so that the player arrives here.
  const other = await test.another({ EDGE_TCP_PORTS: '1024-1025' });
  await disconnect();
  await connect(other);
  const { publicPort, id } = await open();
  const player = await play(publicPort);
  expect(other.visitors.gamePorts?.connections()).toBe(0);
  await set(id, only('127.0.0.200'));
  await until('the end', () => player.ended());
  connector?.kill();
  await other.stop();
});

it('edges of one host share a port; one that stops ends what it has open after its time, and leaves the port to the others', async () => {
  const other = await test.another();
  const { publicPort } = await open();
  await until('its port', () => other.visitors.gamePorts?.publicPorts().includes(publicPort));
  const players: TestPlayer[] = [];
  await until('one at each', async () => {
    players.push(await play(publicPort, { from: `127.0.1.${players.length + 1}` }));
    return [test.edge, other].every(({ visitors }) => visitors.gamePorts?.connections());
  });
  const here = test.edge.visitors.gamePorts?.connections() ?? 0;
  await other.stop();
  await until('the end of its own', () => players.filter((one) => !one.ended()).length === here);
  for (let count = 0; count < 5; count += 1) await play(publicPort);
});

it('counts what is carried, refused and open, where proxies can read it', async () => {
  const { publicPort, id } = await open({ rules: only('127.0.0.1') });
  const player = await play(publicPort);
  expect(await tryToPlay(publicPort, { from: '127.0.0.2' })).toBeNull();
  const gamePorts = test.edge.visitors.gamePorts;
  await gamePorts?.flush();
  const sql = provider.proxiesSql;
  const [row] = await sql`select * from edge.port_traffic where port_id = ${id}`;
  expect(row).toMatchObject({ bytesIn: 5, bytesOut: 5, connections: 1, refused: 1 });
  expect(Date.now() - Number(row?.lastAt)).toBeLessThan(60_000);
  const nowOpen = () => sql`select open from edge.port_connections where port_id = ${id}`;
  expect(await nowOpen()).toEqual([{ open: 1 }]);
  player.socket.resetAndDestroy();
  await until('none open', () => gamePorts?.connections() === 0);
  await gamePorts?.flush();
  expect(await nowOpen()).toEqual([]);
});

it('a port that another program has is reported to proxies, costs no other port, and is opened once it is free', async () => {
  const publicPort = await freePort();
  const other = createServer().listen(publicPort, '::');
  await once(other, 'listening');
  const { port: targetPort } = await startGameServer();
  const { id } = await addGamePort(provider, { tunnelId, targetPort, publicPort });
  await play((await open()).publicPort);
  const stored = async () => {
    await test.edge.visitors.gamePorts?.flush();
    return provider.proxiesSql`select open, is_closed from edge.port_connections where port_id = ${id}`;
  };
  expect(await stored()).toEqual([{ open: 0, isClosed: true }]);
  other.close();
  await until('the port', () => tryToPlay(publicPort));
  const [after] = await stored();
  expect(after?.isClosed ?? false).toBe(false);
});

it('an edge whose own port is one of the range does not start', async () => {
  await expect(test.another({ EDGE_HTTP_PORT: '25001', EDGE_TCP_PORTS: '25000-25099' })).rejects.toThrow(
    'EDGE_HTTP_PORT asks for port 25001, which is one of EDGE_TCP_PORTS',
  );
});
