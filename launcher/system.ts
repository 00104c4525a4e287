import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { askOperator } from '@talpa/service-kit/bus/operator';
import type { BusUser } from '@talpa/service-kit/bus/permissions';
import { setUpStreams } from '@talpa/service-kit/bus/setup';
import { roleUrl, setUpDatabase } from '@talpa/service-kit/database/setup';
import { buildPanel, type Panel } from './build.ts';
import { claimHome } from './home.ts';
import { homeFolders, root } from './paths.ts';
import { processCommand, readyMessage } from './processes.ts';
import { PlainError, type Say } from './say.ts';
import { readSecrets, type Secrets } from './secrets.ts';
import { type Stores, schemas, startStores } from './stores/stores.ts';
import { type Running, supervise } from './supervisor.ts';

export interface TalpaOptions {
  /** The instance's folder. */
  readonly home: string;
  /** The panel's port; 0 picks a free one. */
  readonly port: number;
  readonly host?: string;
  readonly tunnelDomain?: string;
  /** The first administrator's password; made up when left out. */
  readonly adminPassword?: string;
  /** Tests: stores that do not wait for the disk. */
  readonly fast?: boolean;
  /** Settings for all processes, on top of the launcher's. */
  readonly env?: NodeJS.ProcessEnv;
  readonly say?: Say;
}

export interface Talpa {
  readonly url: string;
  readonly home: string;
  /** The administrator, when this start created him. */
  readonly admin: { readonly username: string; readonly password: string } | null;
  readonly secrets: Secrets;
  readonly stores: Stores;
  /** Every running process by name, stores included. */
  readonly parts: ReadonlyMap<string, Running<unknown>>;
  /** Where the provider's API listens (embedded only). */
  readonly providerUrl: string | null;
  /** Stops everything, in order. */
  stop(): Promise<void>;
}

const firstAdmin = 'admin';
export const defaultTunnelDomain = 'tunnel.localhost';

/** Starts the whole panel: stores, set-up, provider, services, gateway, first administrator. */
export async function startTalpa(options: TalpaOptions): Promise<Talpa> {
  const { say = () => {}, home } = options;
  const folders = homeFolders(home);
  const release = await claimHome(folders, say);
  const running: Running<unknown>[] = [];
  const stop = async () => {
    for (const part of [...running].reverse()) await part.stop();
    release();
  };
  try {
    const secrets = readSecrets(folders.secrets);
    const outside = { ...process.env, ...options.env };
    const panel = await panelOf(outside, say);
    const stores = await startStores(folders, secrets, options.fast ?? false, say, running);
    say('setting up the database and the streams');
    await setUpDatabase(
      stores.adminUrl,
      schemas.map(({ schema, service }) => ({
        schema,
        folder: join(root, 'services', service, 'migrations'),
        ownerPassword: secrets.storePassword(`${schema}_owner`),
        appPassword: secrets.storePassword(`${schema}_app`),
      })),
      (line) => say(`migrated ${line}`),
    );
    await setUpStreams(stores.natsUrl('operator'));

    const common = {
      ...outside,
      REDIS_URL: stores.redisUrl,
      INSTALLATION_ID: outside.INSTALLATION_ID ?? secrets.installationId,
      SESSION_KEYS: outside.SESSION_KEYS ?? secrets.sessionKeys,
      TOKEN_KEYS: outside.TOKEN_KEYS ?? secrets.tokenKeys,
      TUNNEL_DOMAIN: options.tunnelDomain ?? defaultTunnelDomain,
      TUNNEL_PUBLIC_PORT: outside.TUNNEL_PUBLIC_PORT ?? String(options.port + 1),
      HOST: '127.0.0.1',
      PORT: '0',
      PANEL_SHELL: panel.shell,
      PANEL_USER: panel.user,
      PANEL_ADMIN: panel.admin,
    };
    const launch = async (name: string, folder: string, env: NodeJS.ProcessEnv) => {
      const part = await supervise(
        { name, command: processCommand(name, folder, env), ready: readyMessage },
        folders,
        say,
      );
      running.push(part);
      return part;
    };
    const databaseOf = (schema: string) =>
      roleUrl(stores.adminUrl, `${schema}_app`, secrets.storePassword(`${schema}_app`));
    const service = (name: BusUser, folder: string, env: NodeJS.ProcessEnv = {}) =>
      launch(name, folder, {
        ...common,
        ...env,
        DATABASE_URL: databaseOf(name),
        NATS_URL: stores.natsUrl(name),
      });

    say('starting the services');
    const provider = await startProvider(outside, common, secrets, databaseOf('provider'), launch);
    await Promise.all([
      service('worker', 'services/tunnel-worker', provider.env),
      service('auth', 'services/auth'),
      service('proxies', 'services/proxies'),
      service('billing', 'services/billing'),
      service('stats', 'services/stats'),
    ]);
    const host = options.host ?? '127.0.0.1';
    const gateway = await launch('gateway', 'gateway', {
      ...common,
      HOST: host,
      PORT: String(options.port),
      NATS_URL: stores.natsUrl('gateway'),
    });
    const password = options.adminPassword ?? randomBytes(9).toString('base64url');
    const { created } = await askOperator(stores.natsUrl('operator'), 'auth.ensureFirstAdmin', {
      username: firstAdmin,
      password,
    });
    return {
      url: `http://${host === '0.0.0.0' || host === '127.0.0.1' ? 'localhost' : host}:${gateway.facts.port}`,
      home,
      admin: created ? { username: firstAdmin, password } : null,
      secrets,
      stores,
      parts: new Map(running.map((part) => [part.name, part])),
      providerUrl: provider.url,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The panel's builds: those the settings name (a folder or a URL each), else our own. */
async function panelOf(outside: NodeJS.ProcessEnv, say: Say): Promise<Panel> {
  const { PANEL_SHELL: shell, PANEL_USER: user, PANEL_ADMIN: admin } = outside;
  return shell && user && admin ? { shell, user, admin } : buildPanel(say);
}

type Launch = (
  name: string,
  folder: string,
  env: NodeJS.ProcessEnv,
) => Promise<Running<{ readonly port: number | null }>>;

/** The embedded provider as a process of ours, or Cloudflare's API: four values for the worker. */
async function startProvider(
  outside: NodeJS.ProcessEnv,
  common: NodeJS.ProcessEnv,
  secrets: Secrets,
  databaseUrl: string,
  launch: Launch,
): Promise<{ env: NodeJS.ProcessEnv; url: string | null }> {
  if (outside.TUNNEL_PROVIDER === 'cloudflare') {
    for (const name of ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_ZONE_ID'])
      if (!outside[name]) throw new PlainError(`TUNNEL_PROVIDER=cloudflare needs ${name}.`);
    return { env: {}, url: null };
  }
  const account = {
    CLOUDFLARE_API_TOKEN: secrets.providerToken,
    CLOUDFLARE_ACCOUNT_ID: secrets.installationId,
    CLOUDFLARE_ZONE_ID: secrets.installationId,
  };
  const provider = await launch('provider', 'services/tunnel-provider', {
    ...common,
    ...account,
    DATABASE_URL: databaseUrl,
  });
  const url = `http://127.0.0.1:${provider.facts.port}/client/v4`;
  return { env: { ...account, CLOUDFLARE_BASE_URL: url }, url };
}
