import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import { serviceNames } from '@talpa/contracts';
import { root } from '@talpa/instance/paths';
import { processNames } from '@talpa/instance/ports.mjs';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import { setUpStreams } from '@talpa/service-kit/bus/setup';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Readiness } from '@talpa/service-kit/process/readiness';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { startOurs } from '@talpa/test-kit/connector/connectors';
import { allSamples, familiesOf, samplesOf, sumOf } from '@talpa/test-kit/metrics';
import { freePorts } from '@talpa/test-kit/ports';
import { ask } from '@talpa/test-kit/raw-http';
import { apart, useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const system = useTalpa({
  ...apart,
  METRICS_PORT: String(await freePorts(processNames.length)),
  EDGE_REQUEST_LIMIT_PER_MINUTE: '3',
  EDGE_BODY_LIMIT_BYTES: '100',
});
const origin = createServer((_request, response) => response.end('panel'));
beforeAll(async () => {
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  origin.closeAllConnections();
  origin.close();
});

const samples = () => allSamples(system.talpa);

describe('metrics', () => {
  it('count what people do, by route, by call, and at the provider', async () => {
    const { client } = await newUser(system.url, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    await client.try('GET /api/tunnel-configs/:id', { id: 999_999_999 });
    for (let times = 0; times < 3; times += 1) await client.call('GET /api/user', {});
    const found = await samples();
    const count = (name: string, labels: Record<string, string>) => sumOf(found, name, labels);
    const http = 'talpa_http_request_duration_seconds_count';
    expect(count(http, { method: 'POST', route: '/api/tunnel-configs', status: '2xx' })).toBe(1);
    expect(count(http, { method: 'GET', route: '/api/user', status: '2xx' })).toBe(3);
    expect(count('talpa_http_errors_total', { route: '/api/tunnel-configs/:id', code: 'not_found' })).toBe(1);
    for (const side of ['caller', 'service'])
      expect(
        count('talpa_call_duration_seconds_count', { side, call: 'proxies.createProxy', result: 'ok' }),
      ).toBe(1);
    expect(count('talpa_call_errors_total', { side: 'service', call: 'proxies.getProxy' })).toBe(1);
    expect(count('talpa_cache_requests_total', { cache: 'sessions', result: 'hit' })).toBeGreaterThan(0);
    for (const operation of ['create tunnel', 'put configuration', 'create record'])
      expect(
        count('talpa_provider_call_duration_seconds_count', { operation, result: 'ok' }),
        operation,
      ).toBe(1);
    expect(count('talpa_provider_budget_left_calls', { lane: 'interactive' })).toBeLessThan(
      count('talpa_provider_budget_calls', { lane: 'interactive' }) ?? 0,
    );
    expect(count('talpa_run_duration_seconds_count', { outcome: 'applied' })).toBe(1);
    expect(proxy.id).toBeGreaterThan(0);
  });

  it('show how far queues are behind', async () => {
    const found = await samples();
    for (const process of serviceNames)
      expect(sumOf(found, 'talpa_outbox_messages', { process }), process).not.toBeNull();
    for (const consumer of ['auth-subscription', 'stats-proxy', 'stats-audit', 'tunnel-worker-enqueue'])
      expect(sumOf(found, 'talpa_consumer_pending', { consumer }), consumer).not.toBeNull();
    for (const state of ['due', 'running', 'delayed', 'dead_letter'])
      expect(sumOf(found, 'talpa_jobs', { state }), state).not.toBeNull();
    expect(sumOf(found, 'talpa_unread_total')).toBe(0);
  });

  it('count what visitors meet at the edge, and why they are refused', async () => {
    const { client } = await newUser(system.url, 'free');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    const { edge } = system.talpa;
    if (!edge) throw new Error('there is no edge');
    const visit = (headers = {}) =>
      ask({ port: edge.visitorPort, host: proxy.cfDomain, path: '/', method: 'POST', headers });
    const statuses = [(await visit()).status];
    const connector = await startOurs({
      port: edge.connectorPort,
      ca: readFileSync(edge.authorityFile, 'utf8'),
      token,
      originPort: (origin.address() as AddressInfo).port,
    });
    await until('the connector is there', async () => sumOf(await samples(), 'talpa_edge_connections') === 4);
    statuses.push((await visit({ 'content-length': '101' })).status);
    for (let times = 0; times < 3; times += 1) statuses.push((await visit()).status);
    expect(statuses).toEqual([503, 413, 200, 200, 429]);
    const found = await samples();
    const count = (name: string, labels = {}) => sumOf(found, name, labels);
    expect(count('talpa_edge_connectors')).toBe(1);
    expect(count('talpa_edge_responses_total', { status: '2xx' })).toBe(2);
    expect(count('talpa_edge_bytes_total', { direction: 'out' })).toBe(2 * 'panel'.length);
    expect(count('talpa_edge_limited_total', { limit: 'requests' })).toBe(1);
    expect(count('talpa_edge_limited_total', { limit: 'body' })).toBe(1);
    for (const code of ['no_connector', 'body_too_large', 'too_many_requests'])
      expect(count('talpa_edge_own_responses_total', { code }), code).toBe(1);
    await connector.stop();
  });

  it('name nobody: no user, no proxy, no address is in a label', async () => {
    const { client, user } = await newUser(system.url, 'basic');
    const { username } = user;
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    await client.call('GET /api/tunnel-configs/:id', { id: proxy.id });
    await fetch(`${system.url}/${username}`);
    const found = await samples();
    const ofUsers = [username, proxy.serverName, proxy.cfDomain, proxy.cfTunnelId ?? '', '127.0.0.1'];
    const texts = new Set(found.flatMap(({ labels }) => Object.values(labels)));
    for (const text of texts)
      for (const one of ofUsers) expect(text.includes(one), `${one} in “${text}”`).toBe(false);
    const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/;
    expect([...texts].filter((text) => uuid.test(text))).toEqual([]);
  });

  it('leave a figure out that cannot be known now, and still show the others', async () => {
    kill('nats');
    const lagless = await until('the lag cannot be known', async () => {
      const found = await samplesOf(system.talpa.metrics.stats ?? '');
      return sumOf(found, 'talpa_consumer_pending') === null && found;
    });
    expect(sumOf(lagless, 'talpa_outbox_messages')).not.toBeNull();
    await until(
      'the lag is known again',
      async () => sumOf(await samplesOf(system.talpa.metrics.stats ?? ''), 'talpa_consumer_pending') !== null,
    );
  });
});

async function readinessOf(process: string) {
  const response = await fetch(new URL('/readyz', system.talpa.metrics[process]));
  return { status: response.status, body: (await response.json()) as Readiness };
}

function kill(part: string, signal: NodeJS.Signals = 'SIGKILL'): void {
  const pid = system.pid(part);
  if (pid === null) throw new Error(`${part} does not run`);
  process.kill(pid, signal);
}

describe('dashboards and alerts', () => {
  const folder = join(root, 'deploy/observability');
  const texts = globSync('**/*.{json,yml}', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  );
  const rules = readFileSync(join(folder, 'prometheus/rules.yml'), 'utf8');

  it('query only metrics that exist, by labels that they have', async () => {
    const exposed = await familiesOf(system.talpa);
    const found = await samples();
    const asked = texts.flatMap((text) => [
      ...text.replaceAll('\\"', '"').matchAll(/\b((?:talpa|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g),
    ]);
    const names = new Set(
      asked.map(([, name = '']) => name).filter((name) => !name.startsWith('process_name')),
    );
    expect(names.size).toBeGreaterThan(50);
    const family = (name: string) => (exposed.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ''));
    expect([...names].filter((name) => !exposed.has(family(name)))).toEqual([]);
    for (const [whole, name, selector = ''] of asked) {
      const labels = new Set(
        found.filter((one) => one.name === name).flatMap((one) => Object.keys(one.labels)),
      );
      const wanted = [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
      // The job is the scraper's word.
      const unknown = wanted.filter((label) => label !== 'job' && !labels.has(label));
      if (labels.size > 0) expect(unknown, whole).toEqual([]);
    }
  });

  it('say of each alert how grave it is, what it means and what to do', () => {
    const alerts = rules.split(/^ {6}- alert: /m).slice(1);
    expect(alerts.length).toBeGreaterThan(20);
    for (const alert of alerts)
      for (const part of [/severity: (critical|warning)/, /^ {10}summary: \S/m, /^ {10}runbook: \S/m])
        expect(alert, alert.split('\n')[0]).toMatch(part);
  });

  it.skipIf(spawnSync('promtool', ['--version']).error !== undefined)(
    'are valid, and each fires when it should and not before',
    async () => {
      const test = ['test', 'rules', 'rules.test.yml'];
      const { stdout } = await promisify(execFile)('promtool', test, { cwd: join(folder, 'prometheus') });
      expect(stdout).toContain('SUCCESS');
      const tested = readFileSync(join(folder, 'prometheus/rules.test.yml'), 'utf8');
      for (const [, alert = ''] of rules.matchAll(/- alert: (\w+)/g))
        expect(tested).toContain(`name: ${alert}\n`);
    },
  );
});

describe('readiness', () => {
  it('is served by every process on a port of its own, with all it depends on', async () => {
    for (const name of processNames) {
      const { status, body } = await readinessOf(name);
      expect([name, status, body.ready, body.state]).toEqual([name, 200, true, 'running']);
      // The provider's API is not on the bus.
      const store = name === 'tunnel-provider' ? 'postgres' : 'nats';
      expect(body.dependencies.map((one) => one.name)).toContain(store);
      expect(body.dependencies.every((one) => one.works)).toBe(true);
    }
  });

  it('says which store is away and since when, and that it is back', async () => {
    const before = new Date().toISOString();
    let killedAt = Number.NEGATIVE_INFINITY;
    const away = await until('auth says that Postgres is away', async () => {
      // It may be back before auth looked: then it goes once more.
      if (performance.now() - killedAt > 3_000 && system.pid('postgres') !== null) {
        kill('postgres');
        killedAt = performance.now();
      }
      const { status, body } = await readinessOf('auth');
      return status === 503 && body.dependencies.find(({ name, works }) => name === 'postgres' && !works);
    });
    expect(away.reason).toBeTruthy();
    expect(away.since >= before).toBe(true);
    const back = await until('auth is ready again', async () => {
      const { status, body } = await readinessOf('auth');
      return status === 200 && body.dependencies.find(({ name }) => name === 'postgres');
    });
    expect(back.since >= away.since).toBe(true);
  });

  /** Waits until auth says why a store does not work, calls `repair`, and waits until auth is ready again. */
  async function whileBroken(store: string, reason: RegExp, repair: () => Promise<unknown>): Promise<void> {
    // Another reason may come first: a connection that has just been closed, say.
    await until(`auth says of ${store}: ${reason}`, async () =>
      (await readinessOf('auth')).body.dependencies.some(
        (one) => one.name === store && !one.works && reason.test(one.reason ?? ''),
      ),
    ).finally(repair);
    await until('auth is ready again', async () =>
      (await readinessOf('auth')).body.dependencies.every(({ works }) => works),
    );
  }

  it('asks Postgres and JetStream to write: one that only answers is not enough', async () => {
    const { adminUrl, natsUrl } = system.talpa.stores;
    const sql = openDatabase(adminUrl, 1);
    const reset = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'auth_app'`;
    await sql`alter role auth_app set default_transaction_read_only = on`;
    await reset();
    await whileBroken('postgres', /^it takes no writes \(read-only\)$/, async () => {
      await sql`alter role auth_app reset default_transaction_read_only`;
      await reset();
    });
    // Reads go on while a commit waits for a standby that is not there.
    const setStandby = async (name: string) => {
      await sql.unsafe(`alter system set synchronous_standby_names = '${name}'`);
      await sql`select pg_reload_conf()`;
    };
    await setStandby('missing');
    await whileBroken('postgres', /^no response/, () => setStandby(''));
    await sql.end();

    const nc = await openBus(natsUrl('operator'), 'operator');
    const manager = await jetstreamManager(streamsOf(nc));
    await manager.streams.delete('PROBES');
    // A restart of NATS would say “no connection”.
    await whileBroken('jetstream', /^(no response|timeout)/, () => setUpStreams(natsUrl('operator')));
    await nc.close();
  });

  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'is not lost with a store that the work goes on without (%s)',
    async (signal) => {
      let struck: number | null = null;
      await until('the gateway says that Redis is away', async () => {
        // One that was killed may have a successor before the gateway is asked: that is killed too.
        const pid = system.pid('redis');
        if (pid !== null && pid !== struck) kill('redis', signal);
        struck = pid ?? struck;
        const { status, body } = await readinessOf('gateway');
        const redis = body.dependencies.find(({ name }) => name === 'redis');
        return status === 200 && redis && !redis.works && !redis.needed;
      });
      if (signal === 'SIGSTOP') kill('redis', 'SIGCONT');
      await until('Redis is back', async () =>
        (await readinessOf('gateway')).body.dependencies.every(({ works }) => works),
      );
    },
  );
});

describe('the public port', () => {
  it('leads to no metrics', async () => {
    for (const path of ['/metrics', '/api/metrics']) {
      const response = await fetch(system.url + path);
      expect(await response.text(), path).not.toContain('talpa_');
    }
  });
});
