import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../launcher/paths.ts';
import { Client } from './client.ts';
import { adminPassword, freePort } from './system.ts';
import { until } from './wait.ts';

/** Why tests in containers cannot run here; null when they can. */
export const noCompose = reasonAgainst();

function reasonAgainst(): string | null {
  if (process.env.TALPA_TEST_COMPOSE !== '1') return 'npm run test:compose runs this';
  const works = (...args: string[]) => spawnSync('docker', args, { stdio: 'ignore' }).status === 0;
  if (!works('compose', 'version')) return 'docker compose is not installed';
  return works('info') ? null : 'no Docker engine answers';
}

/** A container of a system. */
export interface ContainerFacts {
  readonly service: string;
  /** As `docker inspect` tells it. */
  readonly inspected: {
    readonly Config: { readonly Env: string[]; readonly User: string };
    readonly HostConfig: { readonly ReadonlyRootfs: boolean; readonly CapDrop: string[] | null };
    readonly State: { readonly Running: boolean };
    readonly Id: string;
  };
}

/** A whole system in containers, of its own by project, ports, and settings. */
export class ComposeSystem {
  readonly project: string;
  readonly url: string;
  readonly ports: { readonly panel: number; readonly visitors: number; readonly connectors: number };
  private readonly folder: string;

  private constructor(project: string, ports: ComposeSystem['ports'], env: Record<string, string>) {
    this.project = project;
    this.ports = ports;
    this.url = `http://localhost:${ports.panel}`;
    this.folder = mkdtempSync(join(tmpdir(), 'talpa-compose-'));
    const settings = {
      PORT: ports.panel,
      TUNNEL_PUBLIC_PORT: ports.visitors,
      EDGE_CONNECTOR_PORT: ports.connectors,
      SECRETS_FOLDER: this.folder,
      TALPA_ENV: this.envFile,
      TALPA_VERSION: 'test',
      ...env,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(this.envFile, lines.join(''));
    // Its containers' user is not ours.
    spawnSync('chmod', ['755', this.folder]);
    writeFileSync(join(this.folder, 'TALPA_ADMIN_PASSWORD'), adminPassword, { mode: 0o644 });
  }

  /** Prepares a system that has not been started. */
  static async create(project: string, env: Record<string, string> = {}): Promise<ComposeSystem> {
    const ports = { panel: await freePort(), visitors: await freePort(), connectors: await freePort() };
    return new ComposeSystem(project, ports, env);
  }

  private get envFile(): string {
    return join(this.folder, 'settings.env');
  }

  /** `docker compose …`, with what it said. @throws Error when it fails */
  async compose(args: readonly string[], input?: Buffer): Promise<Buffer> {
    return docker(['compose', '-p', this.project, '--env-file', this.envFile, ...args], input);
  }

  /** One of the operator's commands, in a container of its own. */
  async operate(words: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    return (await this.compose(['run', '--rm', '-T', ...variables, 'operator', ...words])).toString();
  }

  /** Waits until the panel answers and can do its work. */
  async answers(): Promise<void> {
    await until(
      `the panel of ${this.project}`,
      async () => (await fetch(`${this.url}/readyz`)).ok && (await this.admin()),
      180_000,
    );
  }

  /** A client signed in as the first administrator. */
  async admin(): Promise<Client> {
    const client = new Client(this.url);
    await client.call('POST /api/login', { username: 'admin', password: adminPassword });
    return client;
  }

  /** Every container there is, jobs that have ended included. */
  async containers(): Promise<ContainerFacts[]> {
    const ids = (await this.compose(['ps', '-aq'])).toString().trim().split('\n');
    const inspected = JSON.parse(
      (await docker(['inspect', ...ids])).toString(),
    ) as (ContainerFacts['inspected'] & {
      Config: { Labels: Record<string, string> };
    })[];
    return inspected.map((one) => ({
      service: one.Config.Labels['com.docker.compose.service'] ?? '',
      inspected: one,
    }));
  }

  /** Removes containers, volumes and networks. */
  async remove(): Promise<void> {
    await this.compose(['down', '--volumes', '--timeout', '5']);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs docker in the clone. @throws Error with what it said when it fails */
export async function docker(args: readonly string[], input?: Buffer): Promise<Buffer> {
  const child = spawn('docker', args, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  let said = '';
  child.stdout.on('data', (data: Buffer) => out.push(data));
  child.stderr.on('data', (data) => (said += data));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new Error(
      `docker ${args.join(' ')} ended with ${code}:\n${`${said}${Buffer.concat(out)}`.slice(-2_000)}`,
    );
  return Buffer.concat(out);
}
