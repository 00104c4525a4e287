import { rmSync } from 'node:fs';
import { certificateFiles, testCertificate } from '@talpa/test-kit/certificate';
import { startOurs, startReal } from '@talpa/test-kit/connector/connectors';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { lengthOf, seedOf } from '@talpa/test-kit/lengths';
import { ask } from '@talpa/test-kit/raw-http';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, expect, it } from 'vitest';
import { differences, exercised } from './differences.ts';
import { differencesOf, neverEnded, type World } from './exchange.ts';
import { startOrigin } from './origin.ts';
import { type Connection, makeConnection, sharers, tunnelDomain } from './plan.ts';
import { shrink } from './shrink.ts';

const count = lengthOf('TALPA_DIFFERENTIAL_EXCHANGES');
const seed = seedOf('TALPA_DIFFERENTIAL_SEED', 36);
const {
  CLOUDFLARED: file,
  TALPA_DIFFERENTIAL_ONLY: only,
  TALPA_DIFFERENTIAL_CONNECTION: given,
} = process.env;
const atOnce = 16;
const patienceMs = 40_000;
const mostFailures = 5;

const files = certificateFiles();
afterAll(() => rmSync(files.folder, { recursive: true }));
const unlimited = '1000000000';
const provider = useProvider(useStores());
const test = useEdge(provider, {
  ...{ EDGE_HTTPS_PORT: '0', EDGE_TLS_CERT: files.certFile, EDGE_TLS_KEY: files.keyFile },
  ...{
    EDGE_PEER_SECRET: 'a-secret-that-all-edges-of-this-test-share',
    EDGE_PEER_HOST: '127.0.0.1',
    EDGE_PEER_PORT: '0',
  },
  ...{ EDGE_REQUEST_LIMIT_PER_MINUTE: unlimited, EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: unlimited },
  ...{ EDGE_MUTATION_LIMIT_PER_MINUTE: unlimited, EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: unlimited },
  ...{
    EDGE_CONCURRENT_LIMIT: unlimited,
    EDGE_LONG_LIVED_LIMIT: unlimited,
    EDGE_VISITOR_CONNECTION_LIMIT: unlimited,
  },
});

/** A tunnel of several proxies, a connector at the first of two edges, and an origin behind it for each. */
async function build(): Promise<World & { stop(): Promise<void> }> {
  const proxies = await Promise.all(
    Array.from({ length: sharers }, async (_, at) => ({
      ...{ host: `srv-${at}.${tunnelDomain}`, origin: await startOrigin() },
    })),
  );
  const path = '/client/v4/accounts/account1/cfd_tunnel';
  const { body } = await provider.send('POST', path, { name: 'differential', config_src: 'cloudflare' });
  const { id, token } = body.result as { id: string; token: string };
  const rules = proxies.map(({ host, origin }) => ({
    ...{ hostname: host, service: `http://127.0.0.1:${origin.port}` },
  }));
  const ingress = [...rules, { service: 'http_status:404' }];
  await provider.send('PUT', `${path}/${id}/configurations`, { config: { ingress } });
  for (const { host } of proxies) await provider.lead(host, id);
  const start = { port: test.edge.connectors.port, ca: test.ca, token };
  const connector = await (file ? startReal(file, start) : startOurs(start));
  await until('four connections', () => test.edge.connectors.registry.size === 4);
  // An origin refuses what it does not expect; without a rule nobody asks it.
  const port = test.edge.visitors.httpPort;
  for (const { host } of proxies)
    await until(`the rule of ${host}`, async () => (await ask({ port, host })).status === 502);
  const other = await test.another();
  const portsOf = ({ visitors }: typeof other) => ({
    plain: visitors.httpPort,
    tls: visitors.httpsPort ?? 0,
  });
  const stop = async () => {
    await connector.kill();
    await other.stop();
    for (const { origin } of proxies) origin.stop();
  };
  return { proxies, ca: testCertificate.cert, edges: [portsOf(test.edge), portsOf(other)], stop };
}

it(`an exchange through edge and ${file ? 'cloudflared' : 'connector'}, beside others for its siblings, is what it is without them`, {
  timeout: 180_000 + count * 100,
}, async () => {
  const world = await build();
  const run = (connection: Connection, patience = patienceMs) => differencesOf(world, connection, patience);
  const failed: { number: number; connection: Connection; faults: string[] }[] = [];
  let [number, made] = [only ? Number(only) : 0, 0];
  const begun = performance.now();
  const work = async () => {
    while (made < count && failed.length < mostFailures) {
      const connection = given ? (JSON.parse(given) as Connection) : makeConnection(seed, number);
      const mine = number;
      number += 1;
      made += connection.plans.length;
      const faults = await run(connection);
      if (faults.length > 0) failed.push({ number: mine, connection, faults });
      if (only) return;
    }
  };
  await Promise.all(Array.from({ length: only ? 1 : atOnce }, work));
  const seconds = (performance.now() - begun) / 1_000;
  const speed = `${seconds.toFixed(0)} s (${(made / seconds).toFixed(0)} a second)`;
  console.log(`${made} exchanges in ${speed}, seed ${seed}; connections that differ: ${failed.length}`);
  const reports: string[] = [];
  for (const { number: which, connection, faults } of failed.slice(0, 3)) {
    // One that hangs would hang at each of a hundred trials.
    const isFinal = given || faults[0]?.startsWith(neverEnded);
    const smallest = isFinal
      ? { connection, faults: [] }
      : await shrink(connection, (one) => run(one, 5_000));
    reports.push(
      [
        `connection ${which} of seed ${seed}; alone: TALPA_DIFFERENTIAL_SEED=${seed} TALPA_DIFFERENTIAL_ONLY=${which}`,
        ...faults.slice(0, 10),
        `at its smallest: ${JSON.stringify(smallest.connection)}`,
        ...smallest.faults.slice(0, 10),
      ].join('\n'),
    );
  }
  await world.stop();
  expect(reports.join('\n\n')).toBe('');
  // Rare ones need many exchanges; those of the first seed are known to make each.
  if (given || only || made < (seed === 36 ? 600 : 6_000)) return;
  const idle = differences.filter(({ what, visitor, origin }) => (visitor ?? origin) && !exercised.has(what));
  expect(idle.map(({ what }) => what)).toEqual([]);
});
