import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startedNames, takenPort } from '@talpa/instance/ports.mjs';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { type ConnectorLink, connectLink, proxyTo } from '@talpa/test-kit/connector/connector';
import { samplesOf, sumOf } from '@talpa/test-kit/metrics';
import { freePorts } from '@talpa/test-kit/ports';
import { ask, rawSocket } from '@talpa/test-kit/raw-http';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, expect, it } from 'vitest';

const settings = { EDGE_PROCESSES: '2' };
const system = useTalpa({
  ...settings,
  METRICS_PORT: String(await freePorts(startedNames(settings).length)),
});
const names = ['edge', 'edge-2'] as const;
type EdgeName = (typeof names)[number];
const origin = createServer((_request, response) => response.end('panel'));
const links: ConnectorLink[] = [];
let host = '';
let token = '';

beforeAll(async () => {
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done));
  const { client } = await newUser(system.url, 'free');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  ({ token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id }));
  host = proxy.cfDomain;
});
afterAll(() => {
  for (const { socket } of links) socket.destroy();
  origin.closeAllConnections();
  origin.close();
});

const edge = () => {
  const { edge: facts } = system.talpa;
  if (!facts) throw new Error('there is no edge');
  return facts;
};
const pidOf = (name: EdgeName): number => {
  const pid = system.pid(name);
  if (pid === null) throw new Error(`${name} does not run`);
  return pid;
};
const metric = async (name: EdgeName, what: string) =>
  sumOf(await samplesOf(system.talpa.metrics[name] ?? ''), what);

/** Has only one of the two accept what comes meanwhile. */
async function onlyAt<T>(name: EdgeName, work: () => Promise<T>): Promise<T> {
  const others = names.filter((one) => one !== name).map(pidOf);
  for (const pid of others) process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const pid of others) process.kill(pid, 'SIGCONT');
  }
}

/** A connection of the tunnel's connector that one edge process holds. */
const connectAt = (name: EdgeName) =>
  onlyAt(name, async () => {
    const { connectorPort: port, authorityFile } = edge();
    const ca = readFileSync(authorityFile, 'utf8');
    const onStream = proxyTo((origin.address() as AddressInfo).port);
    const { link } = await connectLink({ port, ca, token, onStream }, links.length);
    links.push(link);
  });

/** A visitor's connection that one edge process has accepted. @returns requests the tunnel on it */
const visitorAt = (name: EdgeName) =>
  onlyAt(name, async () => {
    const get = (to: string) => `GET / HTTP/1.1\r\nHost: ${to}\r\n\r\n`;
    const { socket, received } = rawSocket(edge().visitorPort, get('nobody.tunnel.localhost'));
    await until('it to be accepted', () => received().startsWith('HTTP/1.1 404'));
    return async () => {
      socket.write(get(host));
      await until('the panel to respond', () => received().endsWith('panel'));
      socket.destroy();
    };
  });

/** Visitors who come one after the other, each on a new connection. @returns ends them; how many there were, and how each failure began */
function visitors() {
  let isOver = false;
  let count = 0;
  const failures: { begunAt: number; what: string }[] = [];
  const visit = async () => {
    while (!isOver) {
      const begunAt = performance.now();
      const what = await ask({ port: edge().visitorPort, host }).then(
        ({ status, body }) => (body === 'panel' ? null : `${status}`),
        (error: Error) => error.message,
      );
      if (what !== null) failures.push({ begunAt, what });
      count += 1;
    }
  };
  const all = [visit(), visit(), visit(), visit()];
  return {
    count: () => count,
    end: async () => {
      isOver = true;
      await Promise.all(all);
      return failures;
    },
  };
}

/** Sends a signal to an edge process in the middle of visits, and ends them when its successor has had some. */
async function visitsDuring(name: EdgeName, signal: NodeJS.Signals) {
  const before = pidOf(name);
  const some = visitors();
  await until('visits', () => some.count() > 50);
  process.kill(before, signal);
  // On a busy machine a killed process keeps its sockets until it gets a processor to end on.
  await until('its end', () => system.pid(name) !== before);
  const at = performance.now();
  await until('a successor', () => system.pid(name) !== null);
  const carried = () => metric(name, 'talpa_edge_responses_total').catch(() => 0);
  await until('visits at the successor', async () => ((await carried()) ?? 0) > 20);
  const failures = await some.end();
  return { failures, afterwards: failures.filter(({ begunAt }) => begunAt > at) };
}

it('visitors and connectors arrive at each process, and every visitor reaches the one tunnel', async () => {
  await connectAt('edge-2');
  for (const name of names) {
    const request = await visitorAt(name);
    await request();
    expect(await metric(name, 'talpa_edge_responses_total')).toBe(1);
    expect(await metric(name, 'talpa_edge_connectors')).toBe(name === 'edge-2' ? 1 : 0);
  }
  await connectAt('edge');
  await until('both to have one', async () => (await metric('edge', 'talpa_edge_connectors')) === 1);
});

it('a killed process loses no request of a visitor who comes afterwards', async () => {
  const { afterwards } = await visitsDuring('edge', 'SIGKILL');
  expect(afterwards).toEqual([]);
});

it('a process that stops in order loses no request at all', async () => {
  await connectAt('edge');
  const { failures } = await visitsDuring('edge-2', 'SIGTERM');
  expect(failures).toEqual([]);
});

it('a second installation is refused the shared ports before anything is installed', async () => {
  const { connectorPort, visitorPort } = edge();
  const others = { PORT: '0', EDGE_HTTP_PORT: '0', EDGE_CONNECTOR_PORT: '0', ...settings };
  for (const [setting, port] of [
    ['EDGE_CONNECTOR_PORT', connectorPort],
    ['EDGE_HTTP_PORT', visitorPort],
  ] as const)
    expect(await takenPort({ ...others, [setting]: String(port) })).toMatch(
      new RegExp(`^Port ${port} is already in use\\. Choose another: ${setting}=`),
    );
});
