import { type ServiceName, serviceNames } from '@talpa/contracts';
import { CliError, type LogLine } from '@talpa/instance/cli';
import { claimHome } from '@talpa/instance/home';
import type { Running } from '@talpa/instance/part';
import { homeFolders, sourcesOf } from '@talpa/instance/paths';
import {
  edgeNames,
  groupName,
  isGrouped,
  type ProcessName,
  processOf,
  takenPort,
} from '@talpa/instance/ports.mjs';
import { withPublicDefaults } from '@talpa/instance/public.mjs';
import { readSecrets, type Secrets } from '@talpa/instance/secrets';
import { defaultTunnelDomain } from '@talpa/service-kit/settings/edge-address';
import { settingIn } from '@talpa/service-kit/settings-of-service';
import { buildPanel, type Panel } from './build.ts';
import { diskFoldersOf, logWhenShort } from './disk-space.ts';
import { type Administrator, ensureFirstAdmin } from './first-admin.ts';
import { fullDuringStart, refuseUnfitMachine } from './machine.ts';
import { refuseWrongSettings } from './outside-settings.ts';
import { bindEdgePorts, type EdgeFacts, edgeOf, edgeSettingsOfGateway } from './processes/edge.ts';
import { type Environments, environments } from './processes/environment.ts';
import {
  inspectorSettings,
  probeOnChannel,
  processCommand,
  readyMessage,
  smallFlags,
} from './processes/processes.ts';
import { providerSettings } from './processes/provider.ts';
import { secretsAsFiles } from './processes/secret-files.ts';
import type { SharedPorts } from './processes/shared-ports.ts';
import { setUp } from './set-up.ts';
import { type Stores, startStores } from './stores/stores.ts';
import type { Patience } from './supervision/hang.ts';
import { metricsHost, metricsUrls, operationsSettings } from './supervision/metrics.ts';
import { supervise } from './supervision/supervisor.ts';

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
  /** Tests: how long a part may hang; null: for ever. */
  readonly patience?: Patience | null;
  /** Development: the port for a debugger, by the name of its process. */
  readonly inspect?: Readonly<Record<string, number>>;
  /** Settings for all processes, on top of the launcher's. */
  readonly env?: NodeJS.ProcessEnv;
  /** Gives up the start, and stops what runs already. */
  readonly signal?: AbortSignal;
  readonly log?: LogLine;
}

export interface Talpa {
  readonly url: string;
  readonly tunnelDomain: string;
  readonly home: string;
  /** The administrator, when nobody has seen their password before. */
  readonly admin: Administrator | null;
  readonly secrets: Secrets;
  readonly stores: Stores;
  /** Every running process by name, stores included. */
  readonly parts: ReadonlyMap<string, Running<unknown>>;
  /** The process or store of this name, or the process that the service of this name shares with others. */
  partOf(name: string): Running<unknown> | undefined;
  /** Where the provider's API listens (embedded only). */
  readonly providerUrl: string | null;
  /** Where our own edge listens (embedded only). */
  readonly edge: EdgeFacts | null;
  /** Where each process serves its metrics; none without METRICS_PORT. */
  readonly metrics: Readonly<Record<string, string>>;
  /** Stops everything, in order. */
  stop(): Promise<void>;
}

/** A caller is stopped before the services that it calls; those in one row at the same time. */
const stopOrder = [
  ['gateway'],
  [groupName],
  serviceNames.filter((name) => name !== 'tunnel-worker'),
  ['tunnel-worker'],
  ['tunnel-provider', 'edge'],
  ['nats', 'redis', 'postgres'],
] as const satisfies readonly (readonly PartName[])[];
type PartName = ProcessName | typeof groupName | 'nats' | 'redis' | 'postgres';

/**
 * Starts the whole panel: stores, set-up, provider, services, gateway, first administrator.
 * @throws CliError when something does not start; everything that had is stopped again.
 */
export async function startTalpa(options: TalpaOptions): Promise<Talpa> {
  const { log = () => {}, home, host = '127.0.0.1', port } = options;
  const folders = homeFolders(home);
  const release = await claimHome(folders, log);
  const running: Running<unknown>[] = [];
  let stopWatching = () => {};
  let sharedPorts: SharedPorts | null = null;
  const stop = async () => {
    stopWatching();
    for (const names of stopOrder) {
      const isNow = ({ name }: Running<unknown>) =>
        names.some((one) => one === name || name.startsWith(`${one}-`));
      const stopped = allOf(running.filter(isNow).map((part) => part.stop()));
      // Not before: an edge that dies would be started again without them.
      if (names.some((name) => name === 'edge')) sharedPorts?.close();
      await stopped;
    }
    release();
  };
  const step = (line: string) => {
    options.signal?.throwIfAborted();
    log(line);
  };
  /** @param name differs from the process's where several run */
  const launch = async (
    kind: ProcessName | typeof groupName,
    env: NodeJS.ProcessEnv,
    name: string = kind,
  ) => {
    const settings = secretsAsFiles(folders, name, env);
    const debugged = inspectorSettings(options.inspect?.[name], env);
    const own = { ...settings, ...operationsSettings(name, env), ...debugged };
    const sockets = kind === 'edge' ? sharedPorts?.sockets : undefined;
    const flags = isGrouped(env) ? smallFlags : [];
    const command = processCommand(name, sourcesOf(kind), own, sockets, flags);
    const part = await supervise(
      {
        name,
        command,
        ready: readyMessage,
        probe: (_facts, child, signal) => probeOnChannel(child, signal),
        stopMs: (facts) => facts.stopMs,
      },
      folders,
      log,
      options.patience,
    );
    running.push(part);
    return part;
  };

  /** The others after the first, which makes the certificate authority where there is none. */
  const launchEdges = async (env: NodeJS.ProcessEnv) => {
    const [first = 'edge', ...others] = edgeNames(env);
    await launch('edge', env, first);
    await allOf(others.map((name) => launch('edge', env, name)));
  };

  /** The services, each in a process of its own. @returns where the provider's API listens */
  const launchEach = async (env: Environments, embedded: boolean): Promise<string | null> => {
    const provider = embedded ? await launch('tunnel-provider', env.service('tunnel-provider')) : null;
    const providerUrl = provider && providerUrlAt(provider.facts.port);
    const settingsOf = (name: ServiceName) => ({
      ...env.service(name),
      ...(name === 'tunnel-worker' && providerUrl ? { CLOUDFLARE_BASE_URL: providerUrl } : {}),
    });
    await allOf(serviceNames.map((name) => launch(name, settingsOf(name))));
    return providerUrl;
  };

  /** The same, with the services and the provider in one process. */
  const launchTogether = async (env: Environments, embedded: boolean): Promise<string | null> => {
    const names = [...(embedded ? (['tunnel-provider'] as const) : []), ...serviceNames];
    const { facts } = await launch(groupName, env.together(names));
    const port = facts.ports[settingIn('tunnel-provider', 'PORT')];
    return port === undefined ? null : providerUrlAt(port);
  };

  try {
    const outside = withPublicDefaults({ ...process.env, ...options.env });
    refuseWrongSettings(outside);
    const taken = await takenPort({ ...outside, HOST: host, PORT: String(port) });
    if (taken) throw new CliError(taken);
    await refuseUnfitMachine(folders, outside);
    // Whether they all have room is said now, too.
    operationsSettings('gateway', outside);
    const secrets = readSecrets(folders.secrets, outside.INSTALLATION_ID);
    const { embedded } = providerSettings(outside, secrets);
    const panel = await panelOf(outside, step, options.signal);
    const stores = await startStores(folders, secrets, options, step, running);
    step('setting up the database and the streams');
    await setUp(stores.adminUrl, stores.natsUrl('operator'), secrets, log);

    step('starting the services and the gateway');
    const tunnelDomain = options.tunnelDomain ?? defaultTunnelDomain;
    // Visitors reach the subdomains beside the panel.
    const diskFolders = diskFoldersOf(folders, outside);
    const facts = { outside, secrets, stores, tunnelDomain, visitorPort: port + 1, diskFolders };
    stopWatching = logWhenShort(diskFolders, outside, log);
    // Where the gateway will listen.
    const panelHost = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
    const panelUrl = `http://${panelHost.includes(':') ? `[${panelHost}]` : panelHost}:${port}`;
    const env = environments({ ...facts, panel, host, panelUrl });
    const launchServices = isGrouped(outside) ? launchTogether : launchEach;
    sharedPorts = embedded ? await bindEdgePorts(env.edge) : null;
    const edge = sharedPorts && edgeOf(sharedPorts, secrets);
    const forGateway = edge && edgeSettingsOfGateway(edge, tunnelDomain, outside);
    const gatewayEnv = { ...env.gateway, ...forGateway, HOST: host, PORT: String(port) };
    const [providerUrl, gateway] = await allOf([
      launchServices(env, embedded),
      launch('gateway', gatewayEnv),
      edge && launchEdges(env.edge),
    ]);
    options.signal?.throwIfAborted();
    const admin = await ensureFirstAdmin(stores, folders.secrets, options.adminPassword);
    const parts = new Map(running.map((part) => [part.name, part]));
    const isLocal = ['0.0.0.0', '127.0.0.1', '::', '::1'].includes(host);
    return {
      url: `http://${isLocal ? 'localhost' : host}:${gateway.facts.port}`,
      tunnelDomain,
      home,
      admin,
      secrets,
      stores,
      parts,
      partOf: (name) => parts.get(processOf(name, outside)),
      providerUrl,
      edge,
      metrics: metricsUrls(running, metricsHost(outside)),
      stop,
    };
  } catch (error) {
    await stop();
    const full = options.signal?.aborted ? null : await fullDuringStart(folders, process.env);
    throw full === null ? error : new CliError(full, { cause: error });
  }
}

const providerUrlAt = (port: number | null) => `http://127.0.0.1:${port}/client/v4`;

/** The panel's builds: those the settings name (a folder or a URL each), else our own. */
async function panelOf(outside: NodeJS.ProcessEnv, log: LogLine, signal?: AbortSignal): Promise<Panel> {
  const { PANEL_SHELL: shell, PANEL_USER: user, PANEL_ADMIN: admin } = outside;
  return shell && user && admin ? { shell, user, admin } : buildPanel(log, signal);
}

/** Waits until all have ended either way: what starts while we give up would never be stopped. */
async function allOf<const T extends readonly unknown[]>(works: T) {
  await Promise.allSettled(works);
  return await Promise.all(works);
}
