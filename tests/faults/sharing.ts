import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ProxyConfig, RouteName } from '@talpa/contracts';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { followRules } from '@talpa/test-kit/connector/connectors';
import { ask, rawSocket } from '@talpa/test-kit/raw-http';
import type { Random } from '@talpa/test-kit/requests/random';
import { until } from '@talpa/test-kit/wait';
import type { Talpa } from '../../launcher/system.ts';
import { stayConnected } from './access.ts';
import { Known } from './known.ts';
import { accuse, attempt, type Journal, type Outcome } from './outcome.ts';

/** So many others come and go. */
const mostOthers = 6;
/** An edge or a connector that has gone is missed after so many ms at most. */
const missedAfterMs = 1_500;
/** Of a database that does not answer. */
const excused: ReadonlySet<unknown> = new Set(['route_unavailable', 'timeout']);
const switching =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n';

/** What somebody has ordered of a proxy; null: there is none (any more). */
type Order = { readonly serverName: string; readonly serverId: number; readonly isPaused: boolean } | null;
interface Other {
  /** Null until it was seen. */
  id: number | null;
  readonly order: Known<Order>;
}

/** A proxy that nobody changes, on a server that others join, leave and come back to. */
export interface Sharing {
  /** Visitors who were answered as they must be, and WebSockets that were open until what they ran through ended. */
  readonly judged: { visits: number; webSockets: number };
  stop(): Promise<void>;
  /** Once nobody works any more: everything is where it was ordered to. */
  judge(patienceMs: number): Promise<void>;
}

export async function startSharing(talpa: Talpa, journal: Journal, random: Random): Promise<Sharing> {
  const [steadyPanel, otherPanel] = [await startPanel('steady'), await startPanel('other')];
  const { client } = await newUser(talpa.url, 'enterprise');
  const make = async (name: string) => (await client.call('POST /api/servers', { name })).id;
  const [home, elsewhere] = [await make('Maschine'), await make('Nebenan')];
  const input = { ...proxyInput(), adminPort: steadyPanel.port, serverId: home };
  const made = (await client.call('POST /api/tunnel-configs', input)).proxy;
  const { token } = await until('the token of the server', () =>
    client.call('GET /api/servers/:id/tunnel-token', { id: home }),
  );
  const { cfTunnelId } = await client.call('GET /api/tunnel-configs/:id', { id: made.id });
  let stopping = false;
  const connector = stayConnected(talpa, token, followRules, () => stopping);
  /** Through what visitors come now; null: nobody does. */
  const way = () => {
    const [edge, since] = [talpa.partOf('edge')?.pid(), connector.since()];
    return edge && since ? `${edge} ${since}` : null;
  };
  const judged = { visits: 0, webSockets: 0 };
  const others: Other[] = [];
  const visits = visitAll(talpa, journal, { host: made.cfDomain, client, way, judged });
  await until('the first visitor to be served', () => visits.isServed());
  const work = [
    changeOthers(client, journal, random, { others, servers: [home, elsewhere], port: otherPanel.port }),
    visits.keepAsking(),
    visits.keepOpen(),
  ].map((run) => run(() => stopping));
  return {
    judged,
    stop: async () => {
      stopping = true;
      await Promise.all(work);
      await connector.stop();
      for (const { stop } of [steadyPanel, otherPanel]) stop();
    },
    judge: async (patienceMs) => {
      await until(
        'no order may still have effects',
        async () => {
          await settle(client, journal, others);
          return others.every(({ order }) => !order.inDoubt);
        },
        patienceMs,
      );
      const list = await client.call('GET /api/tunnel-configs', {});
      compare(journal, others, list, made.id);
      const now = list.find(({ id }) => id === made.id);
      if (now?.cfTunnelId !== cfTunnelId || now.serverId !== home)
        accuse(journal, `the proxy that nobody changed is now ${JSON.stringify(now)}`);
    },
  };
}

type Work = (isStopping: () => boolean) => Promise<void>;

/** A panel that says its name, and sends back what it gets by a WebSocket. */
async function startPanel(name: string) {
  const server = createServer((_request, response) => response.end(name));
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {});
    socket.write(switching);
    socket.pipe(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Visitors of the proxy that nobody changes, and of the others. */
function visitAll(
  talpa: Talpa,
  journal: Journal,
  of: { host: string; client: Client; way: () => string | null; judged: Sharing['judged'] },
) {
  const { host, client, way, judged } = of;
  const visit = async (to: string) => {
    const port = talpa.edge?.visitorPort ?? 0;
    const { status, headers, body } = await ask({ port, host: to, from: '127.0.2.1' });
    return status === 200 ? body : (headers['x-edge-error'] ?? `${status} ${body.slice(0, 40)}`);
  };
  /** Whether what a visitor came through was there all the time, and still is when its end would have been noticed. */
  const isSame = async (before: string | null) => {
    await pause(missedAfterMs);
    return before !== null && way() === before;
  };
  const judge = async () => {
    const before = way();
    const said = await visit(host).catch(String);
    if (said === 'steady') judged.visits += 1;
    else if (!excused.has(said) && (await isSame(before)))
      accuse(journal, `a visitor of the proxy that nobody changes got ${said}`);
  };
  const keepAsking: Work = async (isStopping) => {
    const late: Promise<void>[] = [];
    while (!isStopping()) {
      const one = judge();
      late.push(one);
      await Promise.race([one, pause(500)]);
      await pause(30);
    }
    await Promise.all(late);
  };
  const visitOthers: Work = async (isStopping) => {
    while (!isStopping()) {
      const list = await client.try('GET /api/tunnel-configs', {}).catch(() => null);
      if (list?.status !== 200) await pause(200);
      else
        for (const { cfDomain } of list.body as ProxyConfig[]) {
          const said = await visit(cfDomain).catch(String);
          const wrong = cfDomain === host ? 'other' : 'steady';
          if (said === wrong) accuse(journal, `a visitor of ${cfDomain} got to the panel “${wrong}”`);
          await pause(30);
        }
    }
  };
  /** One WebSocket after the other, each for as long as what it runs through is there. */
  const keepOpen: Work = async (isStopping) => {
    while (!isStopping()) {
      const before = way();
      const { socket, received } = rawSocket(
        talpa.edge?.visitorPort ?? 0,
        `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
      const since = Date.now();
      let [isOver, sent, answeredAt] = [false, '', since];
      socket.once('close', () => {
        isOver = true;
      });
      const isOpen = () => received().startsWith('HTTP/1.1 101 ');
      while (!isOver && !isStopping() && way() === before) {
        await pause(100);
        if (!isOpen()) continue;
        if (received().endsWith(`\r\n\r\n${sent}`)) {
          answeredAt = Date.now();
          sent += '.';
          socket.write('.');
        } else if (Date.now() - answeredAt > 10 * missedAfterMs) break;
      }
      const wasOpen = isOpen();
      if (wasOpen && !isStopping() && (await isSame(before))) {
        const end = isOver ? 'was closed' : 'brought nothing more';
        accuse(
          journal,
          `a WebSocket of the proxy that nobody changes ${end} after ${Date.now() - since} ms (${sent.length} sent)`,
        );
      } else if (wasOpen) judged.webSockets += 1;
      socket.destroy();
      await pause(50);
    }
  };
  return {
    isServed: async () => (await visit(host)) === 'steady',
    keepAsking: (): Work => async (isStopping) => {
      await Promise.all([keepAsking(isStopping), visitOthers(isStopping)]);
    },
    keepOpen: () => keepOpen,
  };
}

/** Lets others join, move between two servers, change, pause and leave, each when its last order is known to be done or not. */
function changeOthers(
  client: Client,
  journal: Journal,
  random: Random,
  at: { others: Other[]; servers: readonly number[]; port: number },
): Work {
  const { others, servers, port: adminPort } = at;
  const newName = () => `G ${random.word(14)}`;
  const settled = (other: Other, order: Order, outcome: Outcome<unknown>, route: RouteName) => {
    if (outcome.kind === 'done') other.order.is(order);
    else if (outcome.kind === 'unknown') other.order.maybe(order);
    else if (outcome.code !== 'proxy_pending')
      accuse(journal, `${route} of the proxy ${other.id} was refused: ${outcome.code}`);
    if (outcome.kind === 'done' && order === null) others.splice(others.indexOf(other), 1);
  };
  const join = async () => {
    const order = { serverName: newName(), serverId: random.pick(servers), isPaused: false };
    const { serverName, serverId } = order;
    const input = { serverName, serverId, serverIP: '127.0.0.1', adminPort };
    const outcome = await attempt(journal, client, 'POST /api/tunnel-configs', input);
    if (outcome.kind === 'refused') return accuse(journal, `joining a server was refused: ${outcome.code}`);
    const other: Other = { id: null, order: new Known<Order>(null, journal) };
    others.push(other);
    if (outcome.kind === 'done') other.id = outcome.body.proxy.id;
    settled(other, order, outcome, 'POST /api/tunnel-configs');
  };
  const change = async (other: Other) => {
    const id = other.id ?? 0;
    const [before] = other.order.possible;
    if (!before) return;
    const send = async (route: RouteName, more: object, order: Order) =>
      settled(other, order, await attempt(journal, client, route, { id, ...more } as never), route);
    const dice = random.fraction();
    if (dice < 0.4) {
      const serverId = servers.find((one) => one !== before.serverId) ?? 0;
      return send('PUT /api/tunnel-configs/:id/server', { serverId }, { ...before, serverId });
    }
    if (dice < 0.6) {
      const serverName = newName();
      const entries = { serverName, serverIP: '127.0.0.1', adminPort };
      return send('PUT /api/tunnel-configs/:id', entries, { ...before, serverName });
    }
    if (dice < 0.8) {
      const order = { ...before, isPaused: !before.isPaused };
      if (before.isPaused) return send('DELETE /api/tunnel-configs/:id/pause', {}, order);
      return send('PUT /api/tunnel-configs/:id/pause', { message: 'Pause' }, order);
    }
    return send('DELETE /api/tunnel-configs/:id', {}, null);
  };
  return async (isStopping) => {
    while (!isStopping()) {
      await settle(client, journal, others);
      const free = others.filter(({ id, order }) => id !== null && !order.inDoubt);
      if (others.length < mostOthers && (free.length === 0 || random.chance(0.3))) await join();
      else if (free.length > 0) await change(random.pick(free));
      else await pause(100);
    }
  };
}

const orderOf = ({ serverName, serverId, paused }: ProxyConfig): Order => ({
  ...{ serverName, serverId, isPaused: paused !== null },
});
const find = ({ id, order }: Other, list: readonly ProxyConfig[]) =>
  list.find((shown) =>
    id === null ? order.possible.some((one) => one?.serverName === shown.serverName) : shown.id === id,
  );
const matches = ({ order }: Other, shown: ProxyConfig) =>
  order.possible.some((one) => isDeepStrictEqual(one, orderOf(shown)));

/** Looks what has become of orders whose end was not known, once nothing can follow any more. */
async function settle(client: Client, journal: Journal, others: Other[]): Promise<void> {
  const ready = others.filter(({ order }) => order.mayBeSettled);
  if (ready.length === 0) return;
  const list = await attempt(journal, client, 'GET /api/tunnel-configs', {});
  if (list.kind !== 'done') return;
  for (const other of ready) {
    const shown = find(other, list.body);
    other.id = shown?.id ?? other.id;
    const order = shown ? orderOf(shown) : null;
    if (!other.order.possible.some((one) => isDeepStrictEqual(one, order)))
      accuse(journal, `${JSON.stringify(other.order.possible)} was ordered, not ${JSON.stringify(order)}`);
    if (shown) other.order.is(order);
    else others.splice(others.indexOf(other), 1);
  }
}

/** @param steadyId the only proxy beside the others */
function compare(
  journal: Journal,
  others: readonly Other[],
  list: readonly ProxyConfig[],
  steadyId: number,
): void {
  for (const other of others) {
    const shown = find(other, list);
    if (!shown || !matches(other, shown))
      accuse(journal, `${JSON.stringify(other.order.possible)} is shown as ${JSON.stringify(shown)}`);
  }
  const known = [steadyId, ...others.map(({ id }) => id)];
  for (const shown of list)
    if (!known.includes(shown.id))
      accuse(journal, `a proxy that is not known is on a server: ${JSON.stringify(shown)}`);
}
