import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimHome } from '@talpa/instance/home';
import type { Running } from '@talpa/instance/part';
import { homeFolders, sourcesOf } from '@talpa/instance/paths';
import type { ProcessName } from '@talpa/instance/ports.mjs';
import { processNames } from '@talpa/instance/ports.mjs';
import { readSecrets } from '@talpa/instance/secrets';
import { ensurePrograms } from '@talpa/instance/system-packages';
import type { Panel } from '../../../launcher/build.ts';
import { ensureFirstAdmin } from '../../../launcher/first-admin.ts';
import { environments } from '../../../launcher/processes/environment.ts';
import { type ProcessFacts, processCommand, readyMessage } from '../../../launcher/processes/processes.ts';
import { secretsAsFiles } from '../../../launcher/processes/secret-files.ts';
import { setUp } from '../../../launcher/set-up.ts';
import { redisUrl, startRedis } from '../../../launcher/stores/redis.ts';
import type { Stores } from '../../../launcher/stores/stores.ts';
import { supervise } from '../../../launcher/supervision/supervisor.ts';
import type { Talpa } from '../../../launcher/system.ts';
import { temporaryHome } from '../home.ts';
import { adminPassword, testSettings } from '../system.ts';
import { until } from '../wait.ts';
import { startBalancer } from './balancer.ts';
import { startNatsCluster } from './nats.ts';
import { createNetwork, type Network, type Target } from './network.ts';
import { type PostgresCluster, startPostgresCluster } from './postgres.ts';

/** A node of the cluster: a server of a store, or one of two processes of a kind. */
export interface ClusterNode {
  readonly name: string;
  pid(): number | null;
}

/** The panel on a small cluster: two processes of a kind, three NATS, three Postgres, links between all of them. */
export interface Cluster {
  /** What the tools for one panel need of it. */
  readonly talpa: Pick<Talpa, 'url' | 'home' | 'secrets' | 'stores' | 'providerUrl'>;
  readonly nodes: readonly ClusterNode[];
  readonly network: Network;
  readonly postgres: PostgresCluster;
  /** Whether it goes on without a node that has become silent. */
  noticesSilence(node: string): boolean;
  /** Whether nothing lacks: neither a copy of what the stores keep, nor a process. */
  isWhole(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts the whole; what had been started is stopped again when something does not start. */
export async function startCluster(env: NodeJS.ProcessEnv = {}): Promise<Cluster> {
  const home = temporaryHome();
  const folders = homeFolders(home);
  const undos: (() => unknown)[] = [];
  if (!process.env.TALPA_TEST_KEEP) undos.push(() => rmSync(home, { recursive: true, force: true }));
  const stop = async () => {
    for (const undo of undos.splice(0).reverse()) await undo();
  };
  try {
    await ensurePrograms(['postgres', 'nats-server', 'redis-server'], () => {});
    undos.push(await claimHome(folders, () => {}));
    const secrets = readSecrets(folders.secrets);
    const network = createNetwork();
    undos.push(network.close);
    const [postgres, nats, redis] = await Promise.all([
      startPostgresCluster(folders, secrets, network),
      startNatsCluster(folders, secrets, network),
      startRedis(folders, secrets, () => {}, { patience: null }),
    ]);
    undos.push(() =>
      Promise.all([postgres.stop(), ...[...nats.nodes, redis.running].map((part) => part.stop())]),
    );
    const redisPath = new URL(redis.url('gateway')).pathname;
    /** The stores as a node reaches them. */
    const storesOf = async (node: string): Promise<Stores> => {
      const [database, bus, memory] = await Promise.all([
        postgres.service(node),
        nats.service(node),
        network.link(node, () => ({ node: 'redis', path: redisPath })),
      ]);
      return {
        adminUrl: postgres.url(database),
        natsUrl: (user) => nats.url(user, bus),
        redisUrl: (user) => redisUrl(secrets, user, `redis://127.0.0.1:${memory}`),
      };
    };
    const stores = await storesOf('operator');
    // Streams cannot be made until the three servers have found each other and chosen a leader.
    await until('the stores are set up', async () => {
      await setUp(stores.adminUrl, stores.natsUrl('operator'), secrets, () => {}, { STREAM_REPLICAS: '3' });
      return true;
    });
    const outside = { ...process.env, ...testSettings, ...env };
    const panel = emptyPanel(home);
    const facts = {
      outside,
      secrets,
      tunnelDomain: 'tunnel.localhost',
      visitorPort: 0,
      host: '127.0.0.1',
      panel,
      panelUrl: '',
    };
    const running = new Map<string, Running<ProcessFacts>>();
    undos.push(() => Promise.all([...running.values()].map((part) => part.stop())));
    const launch = async (kind: ProcessName, name: string) => {
      const all = environments({ ...facts, stores: await storesOf(name) });
      const provider = await network.link(name, () => targetOf(running, 'tunnel-provider'));
      const own = {
        ...(kind === 'edge' || kind === 'gateway' ? all[kind] : all.service(kind)),
        ...(kind === 'tunnel-worker'
          ? { CLOUDFLARE_BASE_URL: `http://127.0.0.1:${provider}/client/v4` }
          : {}),
      };
      const command = processCommand(name, sourcesOf(kind), secretsAsFiles(folders, name, own));
      const part = await supervise({ name, command, ready: readyMessage }, folders, () => {}, null);
      running.set(name, part);
    };
    // One after the other: the first edge makes the certificate.
    for (const number of [1, 2]) await allOf(processNames.map((kind) => launch(kind, `${kind}-${number}`)));
    await ensureFirstAdmin(stores, folders.secrets, adminPassword);
    const gateways = ['gateway-1', 'gateway-2'].map((name) =>
      network.link('balancer', () => targetOf(running, name)),
    );
    const balancer = await startBalancer(await Promise.all(gateways));
    undos.push(balancer.stop);
    const provider = await network.link('operator', () => targetOf(running, 'tunnel-provider'));
    return {
      talpa: {
        url: balancer.url,
        home,
        secrets,
        stores,
        providerUrl: `http://127.0.0.1:${provider}/client/v4`,
      },
      nodes: [...postgres.nodes, ...nats.nodes, redis.running, ...running.values()],
      network,
      postgres,
      noticesSilence: (node) =>
        nats.noticeSilence || [...postgres.nodes, redis.running].some(({ name }) => name === node),
      isWhole: async () =>
        [...nats.nodes, redis.running, ...running.values()].every((node) => node.pid() !== null) &&
        balancer.count === 2 &&
        (await postgres.isWhole()) &&
        (await nats.isWhole()),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Any of the running processes whose name begins so. */
function targetOf(running: ReadonlyMap<string, Running<ProcessFacts>>, beginning: string): Target | null {
  const up = [...running].filter(([name, part]) => name.startsWith(beginning) && part.pid() !== null);
  const [node, part] = up[Math.floor(Math.random() * up.length)] ?? [];
  return node && part?.facts.port ? { node, port: part.facts.port } : null;
}

/** Nobody looks at it here: a built one would only cost its time. */
function emptyPanel(home: string): Panel {
  const folder = join(home, 'panel');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), '<script nonce="__CSP_NONCE__"></script>');
  writeFileSync(join(folder, 'mf-manifest.json'), '{}');
  return { shell: folder, user: folder, admin: folder };
}

/** Waits until all have ended either way: what starts while we give up would never be stopped. */
async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason;
}
