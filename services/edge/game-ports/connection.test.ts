import { once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from '@talpa/test-kit/game-ports';
import { connectPair, type OnStream, type TestConnection } from '@talpa/test-kit/tunnel-connection';
import { until } from '@talpa/test-kit/wait';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PortRefusal } from '../metrics.ts';
import { PortConnection } from './connection.ts';
import { createOpenConnections } from './open-connections.ts';
import { readRules } from './rows.ts';

const port = {
  ...{
    id: 1,
    publicPort: 1,
    target: '192.0.2.1:25565',
    proxyId: 'p1',
    tunnelId: 't1',
    isSuspended: false,
    proxyProtocol: false,
  },
  version: '1',
  ...{ rules: '{"kind":"open"}', ...readRules('{"kind":"open"}') },
};
let server: Server;
let tunnel: TestConnection | undefined;
let streams: ServerHttp2Stream[] = [];
let refusals: PortRefusal[] = [];
let opened = 0;
const idleMs = 600_000;
const connections = createOpenConnections({ get: () => port }, idleMs);

beforeEach(async () => {
  [streams, refusals, opened] = [[], [], 0];
  server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, accept);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  tunnel?.socket.destroy();
  await until('that nothing is left', () => connections.count() === 0);
  server.close();
});

function accept(socket: Socket) {
  const watch = {
    opened: () => {
      opened += 1;
    },
    moved: () => {},
    refused: (reason: PortRefusal) => void refusals.push(reason),
    ended: () => connections.remove(connection),
  };
  const connection = new PortConnection({
    socket,
    port,
    address: '127.0.0.1',
    pick: () => tunnel ?? null,
    watch,
  });
  connections.add(connection);
  void connection.dial();
}

/** A player at a connector that does that. */
async function playAt(onStream: OnStream) {
  tunnel = await connectPair((stream, headers) => {
    streams.push(stream);
    onStream(stream, headers);
  });
  return join((server.address() as AddressInfo).port);
}
const silent: OnStream = () => {};
const agrees: OnStream = (stream) => stream.respond({ ':status': 200 });
const later = (ms: number) => connections.sweep(performance.now() + ms);

it('a connector that agrees to nothing within its time is given up, with all it holds', async () => {
  const player = await playAt(silent);
  player.socket.write('x'.repeat(100_000));
  await until('the stream', () => streams.length === 1);
  later(9_000);
  expect(connections.count()).toBe(1);
  later(11_000);
  await until('the end', () => player.ended());
  expect(refusals).toEqual(['timeout']);
  await until('the end at the connector', () => streams[0]?.destroyed);
});

it.each([
  ['another status', (stream: ServerHttp2Stream) => stream.respond({ ':status': 502 }, { endStream: true })],
  ['a redirect', (stream: ServerHttp2Stream) => stream.respond({ ':status': 302, location: 'http://a' })],
  ['a reset', (stream: ServerHttp2Stream) => stream.close(2)],
])(
  'a connector that responds with %s has refused, and nothing of the player has reached it',
  async (_what, does) => {
    let got = 0;
    const player = await playAt((stream) => {
      stream.on('data', (piece: Buffer) => {
        got += piece.length;
      });
      does(stream);
    });
    player.socket.write('hello');
    await until('the end', () => player.ended());
    expect([refusals, got, opened, player.received()]).toEqual([['unreachable'], 0, 0, '']);
  },
);

it('a connector that refuses the stream, or is lost, is asked again, three times at most', async () => {
  const player = await playAt((stream) => stream.close(7));
  await until('the end', () => player.ended());
  expect([streams.length, refusals]).toEqual([3, ['no_connector']]);
});

/** Waits until a count grows no more, from one look to the next. */
async function settled(what: string, count: () => number): Promise<number> {
  let before = -1;
  return until(what, () => {
    const now = count();
    const isSettled = now > 0 && now === before;
    before = now;
    return isSettled && now;
  });
}
/** What sockets of this machine may hold beside what the edge does. */
const ofSystem = 24_000_000;

it('a player who takes nothing holds a bounded part of what the game server sends, and is cut', async () => {
  let written = 0;
  const player = await playAt((stream) => {
    stream.respond({ ':status': 200 });
    const piece = Buffer.alloc(65_536);
    const more = () => {
      do written += piece.length;
      while (stream.writable && stream.write(piece));
    };
    stream.on('drain', more);
    more();
  });
  player.socket.pause();
  expect(await settled('a full window', () => written)).toBeLessThan(ofSystem);
  later(59_000);
  expect(connections.count()).toBe(1);
  later(61_000);
  await until('the end', () => connections.count() === 0);
});

it('a game server that takes nothing makes the player wait', async () => {
  const player = await playAt((stream) => {
    stream.respond({ ':status': 200 });
    stream.pause();
  });
  const [piece, parts] = [Buffer.alloc(1_000_000), 64];
  for (let part = 0; part < parts; part += 1) player.socket.write(piece);
  await until('the stream', () => opened === 1);
  const left = await settled('a full window', () => player.socket.writableLength);
  expect(parts * piece.length - left).toBeLessThan(ofSystem);
});

it('players who connect and send nothing end with their idle time, at a game server that says nothing', async () => {
  const player = await playAt(agrees);
  await until('the connection', () => opened === 1);
  later(idleMs - 1_000);
  expect(connections.count()).toBe(1);
  later(idleMs + 1_000);
  await until('the end', () => player.ended());
  expect(refusals).toEqual([]);
});

it('a player who leaves, and a tunnel that is lost, end the other side', async () => {
  const leaves = await playAt(agrees);
  await until('the connection', () => opened === 1);
  leaves.socket.resetAndDestroy();
  await until('the end at the connector', () => streams[0]?.destroyed);
  const stays = await playAt(agrees);
  await until('the connection', () => opened === 2);
  tunnel?.socket.destroy();
  await until('the end', () => stays.ended() === 'reset');
});

it('what a connector sends before it agrees, after its end, or as trailers, ends that connection alone', async () => {
  const player = await playAt((stream) => {
    stream.respond({ ':status': 200 }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-a': '1' }));
    stream.end('last');
  });
  await until('the end', () => player.ended());
  expect([player.ended(), player.received()]).toEqual(['end', 'last']);
  player.socket.end();
});

it('a request that comes a byte at a time ends the connection before anything of it has passed', async () => {
  let got = '';
  const player = await playAt((stream) => {
    stream.respond({ ':status': 200 });
    stream.on('data', (piece: Buffer) => {
      got += piece.toString('latin1');
    });
  });
  for (const letter of 'GET /x HTTP/1.1\r\n') {
    player.socket.write(letter);
    await new Promise(setImmediate);
  }
  await until('the end', () => player.ended() === 'reset');
  expect([got, refusals]).toEqual(['', ['web']]);
});

it('a word and a greeting that may have become a request and its response pass whole, at the latest with their ends', async () => {
  const arrived: string[] = [];
  const player = await playAt((stream) => {
    stream.respond({ ':status': 200 });
    stream.write('220 h');
    stream.on('data', (piece: Buffer) => void arrived.push(piece.toString('latin1')));
    stream.on('end', () => stream.end());
  });
  await until('the greeting', () => player.received() === '220 ');
  player.socket.end('GET');
  later(4_000);
  await until('the word', () => arrived.join('') === 'GET');
  later(4_000);
  await until('the rest', () => player.ended());
  expect([player.received(), refusals]).toEqual(['220 h', []]);
});
