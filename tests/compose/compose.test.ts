import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serviceNames } from '@talpa/contracts';
import { root } from '@talpa/instance/paths';
import { testCertificate } from '@talpa/test-kit/certificate';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { atWork, ComposeSystem, docker, healMs, noCompose, roomyLimits } from '@talpa/test-kit/compose';
import { type RunningConnector, startOurs } from '@talpa/test-kit/connector/connectors';
import { freePort } from '@talpa/test-kit/ports';
import { ask } from '@talpa/test-kit/raw-http';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const jobs = ['prepare', 'migrate', 'first-admin'];

const origin = createServer((request, response) => response.end(`panel ${request.headers.host}`));
const connectors: RunningConnector[] = [];
const systems: ComposeSystem[] = [];

async function startSystem(name: string, env: Record<string, string> = {}): Promise<ComposeSystem> {
  const system = await ComposeSystem.create(name, { ...roomyLimits, ...env });
  systems.push(system);
  return system;
}

/** Somebody with a proxy, what its connector needs, and how a visitor meets its panel. */
async function userWithProxy(system: ComposeSystem) {
  const { client, user } = await newUser(system.url, 'enterprise');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
  const visit = () => ask({ port: system.ports.visitors, host: proxy.cfDomain });
  return { client, user, proxy, token, visit };
}

/** The tests' connector through the published port, again and again: cut off, it comes back as cloudflared does. */
async function connect(system: ComposeSystem, token: string): Promise<void> {
  const ca = await (await fetch(`${system.url}/edge-ca.pem`)).text();
  const originPort = (origin.address() as AddressInfo).port;
  const running = await until(
    'the connector to be let in',
    () => startOurs({ port: system.ports.connectors, ca, token, originPort }),
    healMs,
  );
  connectors.push(running);
}

describe.skipIf(noCompose)(
  `the whole system in containers${noCompose ? ` (skipped: ${noCompose})` : ''}`,
  () => {
    let system: ComposeSystem;

    beforeAll(async () => {
      await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done));
      system = await startSystem('talpa-test');
      await system.compose(['up', '-d', '--build']);
      await system.waitUntilReady();
    });
    afterAll(async () => {
      await Promise.all(connectors.map((connector) => connector.kill()));
      origin.close();
      if (!process.env.TALPA_TEST_KEEP) for (const one of systems) await one.remove();
    });

    it('runs as nobody in particular, writes to no file of its images, and shows no secret', async () => {
      const secrets = (
        await system.compose([
          'run',
          '--rm',
          '-T',
          '--entrypoint',
          'sh',
          'operator',
          '-c',
          'cat /var/lib/talpa/secrets/*-keys /var/lib/talpa/secrets/provider-token /var/lib/talpa/operator/* /secrets-out/redis/*',
        ])
      ).toString();
      const words = secrets.match(/[\w-]{40,}/g) ?? [];
      expect(words.length).toBeGreaterThan(5);
      const containers = await system.containers();
      const visible = JSON.stringify(containers) + (await system.compose(['logs', '--no-color'])).toString();
      expect(words.filter((word) => visible.includes(word))).toEqual([]);
      for (const { service, inspected } of containers) {
        expect([service, inspected.HostConfig.ReadonlyRootfs]).toEqual([service, true]);
        expect([service, inspected.HostConfig.CapDrop]).toEqual([service, ['ALL']]);
        // Postgres's own image begins as root and becomes “postgres”.
        if (service !== 'postgres') expect([service, inspected.Config.User]).toEqual([service, '1000:1000']);
      }
    });

    it('lets a person do the main job in the browser', async () => {
      const { TALPA_TEST_TOTALS: _totals, ...env } = process.env;
      const vitest = ['run', '--project', 'sharing', 'tests/browser/main-job.test.ts'];
      const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...vitest], {
        cwd: root,
        env: { ...env, TALPA_TEST_URL: system.url },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
      const code = await new Promise((done) => child.once('close', done));
      expect([code, code === 0 ? '' : said.slice(-4_000)]).toEqual([0, '']);
    });

    it('carries a visitor to a panel, with two gateways and two of each service', async () => {
      const { token, visit, proxy } = await userWithProxy(system);
      const twice = ['gateway', ...serviceNames, 'shell', 'user', 'admin'];
      const scale = twice.flatMap((name) => ['--scale', `${name}=2`]);
      await system.compose(['up', '-d', '--no-recreate', ...scale]);
      await connect(system, token);
      expect(await visit()).toMatchObject({ status: 200, body: `panel ${proxy.cfDomain}` });
      // A change shows at once, whichever gateway is asked.
      const { client } = await newUser(system.url, 'basic');
      for (let turn = 0; turn < 20; turn += 1) {
        const serverName = `Turn ${turn}`;
        const created = await client.call('POST /api/tunnel-configs', { ...proxyInput(), serverName });
        const listed = await client.call('GET /api/tunnel-configs', {});
        expect(listed.map((one) => one.serverName)).toEqual([serverName]);
        await client.call('DELETE /api/tunnel-configs/:id', { id: created.proxy.id });
      }
      await system.compose(['up', '-d', '--no-recreate']);
    });

    it.each(['auth', 'shell', 'nats', 'redis', 'postgres'])('restarts %s when it hangs', async (service) => {
      const find = async () => (await system.containers()).find((one) => one.service === service)?.inspected;
      const before = await find();
      if (!before) throw new Error(`${service} does not run`);
      // All but the container's init and this shell: nginx answers with its workers while its master stands still.
      const stopAll =
        'cd /proc && for pid in [0-9]*; do [ $pid = 1 ] || [ $pid = $$ ] || kill -STOP $pid; done';
      await docker(['exec', before.Id, 'sh', '-c', stopAll]);
      const restarted = async () => ((await find())?.RestartCount ?? 0) > before.RestartCount;
      await until(`a restart of ${service}`, restarted, healMs);
      await until('people to be served', () => newUser(system.url, 'free'), healMs);
    });

    it('loses nothing acknowledged while each container is killed and comes back, and heals by itself', async () => {
      const { token, visit } = await userWithProxy(system);
      const work = await atWork(system);
      const killed = (await system.containers()).filter(({ service }) => !jobs.includes(service));
      for (const { service, inspected } of killed) {
        // A process of ours that dies is started again by the engine; a killed container by us.
        if (inspected.HostConfig.Init)
          await docker(['exec', inspected.Id, 'sh', '-c', 'kill -9 -1']).catch(() => {});
        else {
          await docker(['kill', inspected.Id]);
          await docker(['start', inspected.Id]);
        }
        const before = work.done();
        await until(`work to go on after ${service}`, () => work.done() > before + 1, healMs);
      }
      const restarts = new Map(
        (await system.containers()).map((one) => [one.service, one.inspected.RestartCount]),
      );
      expect(
        ['gateway', 'proxies', 'tunnel-worker', 'tunnel-provider', 'edge'].filter(
          (name) => restarts.get(name) === 0,
        ),
      ).toEqual([]);
      await work.end();
      await connect(system, token);
      await until('a visitor to be carried', async () => (await visit()).status === 200, healMs);
    });

    it('comes back with everything when the host has restarted', async () => {
      const { client, user } = await newUser(system.url, 'basic');
      await client.call('POST /api/tunnel-configs', proxyInput('Überlebt'));
      await system.compose(['kill']);
      await system.compose(['up', '-d']);
      await system.waitUntilReady();
      // The session is still one.
      const proxies = await until('the list', () => client.call('GET /api/tunnel-configs', {}), healMs);
      expect(proxies.map((one) => one.serverName)).toEqual(['Überlebt']);
      expect((await client.call('GET /api/user', {})).id).toBe(user.id);
      await system.compose(['restart', '--timeout', '20']);
      await system.waitUntilReady();
      await client.call('POST /api/tunnel-configs', proxyInput('Neu'));
    });

    it('makes a fresh system from a backup, tokens included, and one that carries visitors by HTTPS', async () => {
      const { client, user, proxy, token } = await userWithProxy(system);
      const passphrase = { TALPA_BACKUP_PASSPHRASE: 'eine lange Passphrase' };
      await system.operate(['backup', '/backups/first', '--keys'], passphrase);
      const tar = (target: ComposeSystem, words: string[], input?: Buffer) =>
        target.compose(
          ['run', '--rm', '-T', '--entrypoint', 'tar', 'operator', '-C', '/backups', ...words],
          input,
        );
      const archive = await tar(system, ['-c', 'first']);
      expect(archive.length).toBeGreaterThan(10_000);
      await system.remove();
      systems.pop();

      const https = await freePort();
      const fresh = await startSystem('talpa-test-fresh', {
        COMPOSE_FILE: 'docker-compose.yml:deploy/compose/https.yml',
        EDGE_HTTPS_PORT: String(https),
      });
      fresh.giveSecret('EDGE_TLS_CERT', testCertificate.cert);
      fresh.giveSecret('EDGE_TLS_KEY', testCertificate.key);
      await fresh.compose(['up', '-d', '--wait', 'postgres', 'nats', 'redis']);
      await tar(fresh, ['-x'], archive);
      await fresh.operate(['restore', '/backups/first'], passphrase);
      await fresh.compose(['up', '-d']);
      await fresh.waitUntilReady();
      expect((await client.try('GET /api/user', {}).catch(() => null))?.status ?? 0).not.toBe(200);
      const again = new Client(fresh.url);
      await again.call('POST /api/login', { username: user.username, password: testPassword });
      expect((await again.call('GET /api/tunnel-configs', {})).map(({ cfDomain }) => cfDomain)).toEqual([
        proxy.cfDomain,
      ]);
      await connect(fresh, token);
      const to = { host: proxy.cfDomain };
      for (const listener of [{ port: fresh.ports.visitors }, { port: https, ca: testCertificate.cert }])
        expect(await ask({ ...to, ...listener })).toMatchObject({
          status: 200,
          body: `panel ${proxy.cfDomain}`,
        });
    });
  },
);
