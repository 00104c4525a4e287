import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { expect } from 'vitest';
import { Client, newUser, proxyInput } from './client.ts';
import { freePort } from './ports.ts';
import { adminPassword } from './system.ts';
import { until } from './wait.ts';

/** Why tests in containers cannot run here; null when they can. */
export const noCompose = reasonAgainst();

function reasonAgainst(): string | null {
  if (process.env.TALPA_TEST_COMPOSE !== '1') return 'npm run test:compose runs this';
  const works = (...args: string[]) => spawnSync('docker', args, { stdio: 'ignore' }).status === 0;
  if (!works('compose', 'version')) return 'docker compose is not installed';
  return works('info') ? null : 'no Docker engine responds';
}

/** People at work in these tests ask faster than people do. */
export const roomyLimits = {
  REQUEST_LIMIT_PER_MINUTE: '100000',
  MUTATION_LIMIT_PER_MINUTE: '100000',
  REGISTER_LIMIT_PER_MINUTE: '1000',
  REGISTRATION_PROOF_AFTER: '100000',
  SIGN_IN_LIMIT_PER_MINUTE: '1000',
};
/** What a system may take to be itself again. */
export const healMs = 120_000;

/** A container of a system. */
export interface ContainerFacts {
  readonly service: string;
  /** As `docker inspect` shows it. */
  readonly inspected: {
    readonly Config: { readonly Env: string[]; readonly User: string; readonly Image: string };
    readonly HostConfig: {
      readonly ReadonlyRootfs: boolean;
      readonly CapDrop: string[] | null;
      readonly Init: boolean | null;
    };
    readonly RestartCount: number;
    readonly State: { readonly Running: boolean; readonly StartedAt: string };
    readonly Id: string;
  };
}

/** A whole system in containers, of its own by project, ports, and settings. */
export class ComposeSystem {
  readonly project: string;
  readonly url: string;
  readonly ports: { readonly panel: number; readonly visitors: number; readonly connectors: number };
  private readonly folder: string;
  private settings: Readonly<Record<string, string>>;
  /** Whose docker-compose.yml it is. */
  private source = root;

  private constructor(project: string, ports: ComposeSystem['ports'], env: Record<string, string>) {
    this.project = project;
    this.ports = ports;
    this.url = `http://localhost:${ports.panel}`;
    this.folder = mkdtempSync(join(tmpdir(), 'talpa-compose-'));
    this.settings = {
      PORT: String(ports.panel),
      TUNNEL_PUBLIC_PORT: String(ports.visitors),
      EDGE_CONNECTOR_PORT: String(ports.connectors),
      SECRETS_FOLDER: this.folder,
      TALPA_ENV: join(this.folder, 'settings.env'),
      TALPA_VERSION: 'test',
      ...env,
    };
    this.writeSettings();
    // Its containers' user is not ours.
    spawnSync('chmod', ['755', this.folder]);
    this.giveSecret('TALPA_ADMIN_PASSWORD', adminPassword);
  }

  /** Writes a secret's file, for the next `up`. */
  giveSecret(name: string, value: string): void {
    writeFileSync(join(this.folder, name), value, { mode: 0o644 });
  }

  /** Prepares a system that has not been started. */
  static async create(project: string, env: Record<string, string> = {}): Promise<ComposeSystem> {
    const ports = { panel: await freePort(), visitors: await freePort(), connectors: await freePort() };
    return new ComposeSystem(project, ports, env);
  }

  private get envFile(): string {
    return String(this.settings.TALPA_ENV);
  }

  private writeSettings(): void {
    const lines = Object.entries(this.settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(this.envFile, lines.join(''));
  }

  /** `docker compose …`, with what it said. @throws Error when it fails */
  async compose(args: readonly string[], input?: Buffer): Promise<Buffer> {
    return docker(['compose', '-p', this.project, '--env-file', this.envFile, ...args], input, this.source);
  }

  /** The same system run by another version: its clone, and its images' tag. */
  at(source: string, version: string): ComposeSystem {
    const other: ComposeSystem = Object.assign(Object.create(ComposeSystem.prototype), this, { source });
    other.settings = { ...this.settings, TALPA_VERSION: version, TALPA_ENV: `${this.envFile}.${version}` };
    other.writeSettings();
    return other;
  }

  /**
   * Brings the running containers to this version.
   * @param changes what is different in it, by service, as in a Compose file.
   * @throws Error with what it said
   */
  async upgrade(changes: Readonly<Record<string, object>> = {}): Promise<void> {
    const changed = join(this.folder, 'changed.json');
    writeFileSync(changed, JSON.stringify({ services: changes }));
    await run(join(root, 'deploy/compose/upgrade'), [], {
      COMPOSE_PROJECT_NAME: this.project,
      COMPOSE_FILE: `${join(root, 'docker-compose.yml')}:${changed}`,
      ...this.settings,
    });
  }

  /** One of the operator's commands, in a container of its own. */
  async operate(words: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    return (await this.compose(['run', '--rm', '-T', ...variables, 'operator', ...words])).toString();
  }

  /** Waits until the panel responds and can do its work. */
  async waitUntilReady(): Promise<void> {
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

/** Runs docker in a clone. @throws Error with what it said when it fails */
export async function docker(args: readonly string[], input?: Buffer, cwd = root): Promise<Buffer> {
  return run('docker', args, {}, cwd, input);
}

async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = root,
  input?: Buffer,
): Promise<Buffer> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
  const out: Buffer[] = [];
  let said = '';
  child.stdout.on('data', (data: Buffer) => out.push(data));
  child.stderr.on('data', (data) => (said += data));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return Buffer.concat(out);
  const all = `${said}${Buffer.concat(out)}`.slice(-2_000);
  throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${all}`);
}

/** Somebody who makes and removes proxies without a pause, and knows what they were promised. */
export async function atWork(system: ComposeSystem) {
  const promised = new Map<number, string>();
  /** What was asked for without a clear answer: it may be there or not. */
  const unknown = new Set<string>();
  const refused: string[] = [];
  let [turns, stopping] = [0, false];
  const { client } = await newUser(system.url, 'enterprise');
  const work = async () => {
    const { serverName, ...rest } = proxyInput();
    unknown.add(serverName);
    const created = await client.try('POST /api/tunnel-configs', { serverName, ...rest });
    if (created.status !== 201) throw new Error(`create: ${created.status} ${JSON.stringify(created.body)}`);
    const { proxy } = created.body as { proxy: { id: number } };
    unknown.delete(serverName);
    promised.set(proxy.id, serverName);
    turns += 1;
    if (promised.size < 3) return;
    const [[oldest, name] = [0, '']] = promised;
    promised.delete(oldest);
    unknown.add(name);
    const removed = await client.try('DELETE /api/tunnel-configs/:id', { id: oldest });
    if (removed.status !== 204) throw new Error(`delete: ${removed.status} ${JSON.stringify(removed.body)}`);
    unknown.delete(name);
  };
  const running = (async () => {
    while (!stopping)
      await work().catch((error: unknown) => {
        const what = error instanceof Error ? `${error.message} ${error.cause ?? ''}` : String(error);
        refused.push(`${new Date().toISOString()} ${what}`);
      });
  })();
  return {
    done: () => turns,
    /** What was refused until now. */
    refused,
    /** Stops, and compares what is there with what was promised. @returns what was refused, and how much was done */
    end: async () => {
      stopping = true;
      await running;
      const listed = await until('the list', () => client.call('GET /api/tunnel-configs', {}), healMs);
      const names = listed.map(({ serverName }) => serverName).filter((name) => !unknown.has(name));
      expect(names.toSorted()).toEqual([...promised.values()].toSorted());
      return { refused, done: turns };
    },
  };
}
