import { randomUUID } from 'node:crypto';
import { type RunningConnector, startOurs, startReal } from '@talpa/test-kit/connector/connectors';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { addGamePort, join, startGameServer } from '@talpa/test-kit/game-ports';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The same for every connector: ours, and the real one where CLOUDFLARED names it. */
const file = process.env.CLOUDFLARED;
const makes: [string, typeof startOurs][] = [['our own', startOurs]];
if (file) makes.push(['cloudflared', (start) => startReal(file, start)]);

const provider = useProvider(useStores());
const test = useEdge(provider, {
  EDGE_TCP_PORTS: '1024-65535',
  EDGE_TCP_VISITOR_CONNECTION_LIMIT: '500',
  EDGE_TCP_VISITOR_CONNECTION_LIMIT_PER_MINUTE: '5000',
});
const gamePorts = () => test.edge.visitors.gamePorts;
let connector: RunningConnector | undefined;
let tunnelId = '';
let token = '';

beforeEach(async () => {
  const name = `t${randomUUID()}`;
  const path = '/client/v4/accounts/account1/cfd_tunnel';
  const { body } = await provider.send('POST', path, { name, config_src: 'cloudflare' });
  ({ id: tunnelId, token } = body.result as { id: string; token: string });
});
afterEach(async () => {
  await connector?.kill();
  await until('every connection to be gone', () => test.edge.connectors.registry.size === 0);
});

describe.each(makes)('behind %s', (_make, start) => {
  const connect = async () => {
    connector = await start({ port: test.edge.connectors.port, ca: test.ca, token, originPort: 1 });
    await until('four connections', () => test.edge.connectors.registry.size === 4);
  };
  /** A game port that is open, at a game server of the test. */
  const open = async (server: Awaited<ReturnType<typeof startGameServer>>, targetHost = '127.0.0.1') => {
    const { publicPort } = await addGamePort(provider, { tunnelId, targetPort: server.port, targetHost });
    await until('the public port', () => gamePorts()?.publicPorts().includes(publicPort));
    return publicPort;
  };

  it('20 MB come back whole on each of many connections, the last ones after the player has sent everything', async () => {
    await connect();
    const publicPort = await open(await startGameServer());
    const piece = Buffer.from(Array.from({ length: 10_000 }, (_, at) => at % 251));
    const large = join(publicPort);
    const small = Array.from({ length: 100 }, () => join(publicPort));
    for (const { socket } of small) socket.end(piece);
    for (let part = 0; part < 2_000; part += 1) large.socket.write(piece);
    large.socket.end();
    for (const player of small) await until('its echo', () => player.count() === piece.length);
    await until('the large echo', () => large.count() === 20_000_000);
    expect(large.received() === piece.toString('latin1').repeat(2_000)).toBe(true);
    for (const player of small) expect(player.received() === piece.toString('latin1')).toBe(true);
    gamePorts()?.sweep(performance.now() + 4_000);
    await until('the ends', () => [large, ...small].every((one) => one.ended() === 'end'));
    await until('no connection', () => gamePorts()?.connections() === 0);
  });

  it('a game server that ends gives its last bytes; a player who leaves is gone there', async () => {
    await connect();
    const server = await startGameServer(
      (socket) => void socket.once('data', () => socket.end('x'.repeat(300_000))),
    );
    const player = join(await open(server));
    player.socket.write('hello');
    await until('the end', () => player.ended());
    expect([player.ended(), player.count()]).toEqual(['end', 300_000]);
    const quiet = await startGameServer(() => {});
    const leaves = join(await open(quiet));
    leaves.socket.write('hello');
    await until('the player', () => quiet.received() === 'hello');
    leaves.socket.resetAndDestroy();
    await until('the end there', () => quiet.sockets[0]?.destroyed);
  });

  it('a game server that is not there, and a name, are refused; nothing is sent', async () => {
    await connect();
    const server = await startGameServer();
    const gone = await addGamePort(provider, { tunnelId, targetPort: 1 });
    await until('the public port', () => gamePorts()?.publicPorts().includes(gone.publicPort));
    for (const publicPort of [gone.publicPort, await open(server, 'localhost')]) {
      const player = join(publicPort);
      player.socket.write('hello');
      await until('the refusal', () => player.ended());
      expect(player.received()).toBe('');
    }
    expect(server.sockets).toHaveLength(0);
  });
});
