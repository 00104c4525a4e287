import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { handOutFile } from '@talpa/instance/containers';
import type { Running } from '@talpa/instance/part';
import type { HomeFolders } from '@talpa/instance/paths';
import type { Secrets } from '@talpa/instance/secrets';
import { findProgram } from '@talpa/instance/system-packages';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import type { BusUser } from '@talpa/service-kit/bus/permissions';
import { natsConfig, natsUrl } from '../../../launcher/stores/nats-config.ts';
import { supervise } from '../../../launcher/supervision/supervisor.ts';
import { freePorts } from '../ports.ts';
import { until } from '../wait.ts';
import type { Network } from './network.ts';

export interface NatsCluster {
  readonly nodes: readonly Running<unknown>[];
  /** The URL for a node of the cluster. Each connection leads to any of the three servers, as a Kubernetes Service does. */
  url(user: BusUser, port: number): string;
  /** Opens such a Service for a node. @returns its port */
  service(from: string): Promise<number>;
  /** Whether its servers notice a client, or one of them, that is silent while they send to it: from 2.10 on (nats-server issue 4014). */
  readonly noticeSilence: boolean;
  /** Whether every stream lies on three servers, and all of them have what the leader has. */
  isWhole(): Promise<boolean>;
}

/** Three NATS servers that keep their streams together. */
export async function startNatsCluster(
  folders: HomeFolders,
  secrets: Secrets,
  network: Network,
): Promise<NatsCluster> {
  const program = process.env.TALPA_TEST_NATS_SERVER ?? findProgram('nats-server');
  if (!program) throw new Error('nats-server is not installed');
  const first = await freePorts(6);
  const servers = ['nats-1', 'nats-2', 'nats-3'].map((node, place) => ({
    node,
    clients: first + place,
    routes: first + 3 + place,
  }));
  const routePassword = secrets.storePassword('nats routes');
  const start = async ({ node, clients, routes }: (typeof servers)[number]) => {
    const folder = join(folders.home, node);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const others = await Promise.all(
      servers
        .filter((other) => other.node !== node)
        .map((other) => network.link(node, () => ({ node: other.node, port: other.routes }))),
    );
    const config = natsConfig(folder, secrets, {
      server_name: node,
      listen: `127.0.0.1:${clients}`,
      cluster: {
        name: 'talpa',
        listen: `127.0.0.1:${routes}`,
        // Nowhere: servers would send each other a route past the links.
        advertise: '127.0.0.1:1',
        no_advertise: true,
        authorization: { user: 'route', password: routePassword, timeout: 2 },
        routes: others.map((port) => `nats://route:${routePassword}@127.0.0.1:${port}`),
      },
    });
    const file = join(folder, 'nats.conf');
    handOutFile(file, config, 0o600);
    const command = { name: node, file: program, args: ['-c', file] };
    const answers = async () => {
      const url = natsUrl(secrets, 'operator', `127.0.0.1:${clients}`);
      await until(`${node} lets clients in`, async () =>
        (await openBus(url, 'operator')).close().then(() => true),
      );
    };
    return supervise({ name: node, command: () => command, ready: answers }, folders, () => {}, null);
  };
  const nodes = await Promise.all(servers.map(start));
  const operator = await network.link('operator', () => ({ node: 'nats-1', port: servers[0]?.clients ?? 0 }));
  const [, major = 0, minor = 0] =
    /v(\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? [];
  return {
    nodes,
    noticeSilence: Number(major) > 2 || Number(minor) >= 10,
    isWhole: async () => {
      const nc = await openBus(natsUrl(secrets, 'operator', `127.0.0.1:${operator}`), 'operator');
      try {
        const manager = await jetstreamManager(streamsOf(nc), { timeout: 2_000 });
        const found: boolean[] = [];
        for await (const { cluster } of manager.streams.list())
          found.push(cluster?.replicas?.filter(({ current }) => current).length === servers.length - 1);
        return found.length > 0 && found.every(Boolean);
      } catch {
        return false;
      } finally {
        await nc.close();
      }
    },
    url: (user, port) => natsUrl(secrets, user, `127.0.0.1:${port}`),
    service: (from) =>
      network.link(from, () => {
        const { node, clients } = servers[Math.floor(Math.random() * servers.length)] ?? {};
        return node && clients ? { node, port: clients } : null;
      }),
  };
}
