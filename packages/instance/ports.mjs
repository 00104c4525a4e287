import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { withPublicDefaults } from './public.mjs';

/** All our processes. */
export const processNames = [
  'gateway',
  'auth',
  'billing',
  'proxies',
  'stats',
  'tunnel-worker',
  'tunnel-provider',
  'edge',
  'notifications',
];

/** The process that the domain services, the worker and the provider share where they are grouped. */
export const groupName = 'services';
const grouped = processNames.filter((name) => name !== 'gateway' && name !== 'edge');
const smallBytes = 4 * 1024 ** 3;

/**
 * Whether services share a process. By default on small machines: at most two cores, or less than 4 GiB.
 * @param {NodeJS.ProcessEnv} env
 * @returns {boolean}
 */
export function isGrouped({ PROCESSES }, cores = availableParallelism(), bytes = usableBytes()) {
  return PROCESSES === 'grouped' || (PROCESSES !== 'separate' && (cores <= 2 || bytes < smallBytes));
}

/** What the machine has, or the container may use. */
function usableBytes() {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/**
 * Whether the tunnel provider and its edge run here: `runsHere` of the table `tunnelProviders`, which is TypeScript. The
 * bootstrap asks before there is a Node for that.
 * @param {NodeJS.ProcessEnv} env
 * @returns {boolean}
 */
export const runsProvider = ({ TUNNEL_PROVIDER }) => (TUNNEL_PROVIDER || 'embedded') === 'embedded';

/** The maximum of EDGE_PROCESSES: each has at least one of the eight sign-in attempts. */
const maximumEdges = 8;

/**
 * The edge processes that `npm start` runs, as they are called in logs and metrics. By default one for every two cores, at
 * most four: the other half is for the gateway, the services and the stores.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
export function edgeNames(env, cores = availableParallelism()) {
  const wanted = Number(env.EDGE_PROCESSES || Math.min(4, Math.floor(cores / 2)));
  const count = runsProvider(env) ? Math.min(maximumEdges, Math.max(1, Math.trunc(wanted) || 1)) : 1;
  return Array.from({ length: count }, (_, at) => (at === 0 ? 'edge' : `edge-${at + 1}`));
}

/**
 * All processes that `npm start` runs, in the order in which they get their ports for metrics.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
export function startedNames(env) {
  const [first, ...others] = edgeNames(env);
  const names = isGrouped(env) ? ['gateway', groupName, first] : processNames;
  return [...names, ...others];
}

/**
 * The process that a service runs in.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 * @returns {string}
 */
export const processOf = (name, env) => (isGrouped(env) && grouped.includes(name) ? groupName : name);

/**
 * Every port that `npm start` listens on, with the settings that choose it. A free port (0) is left out. A value that is
 * not a number is left out too: the process that reads the setting refuses it.
 * @param {NodeJS.ProcessEnv} given
 * @returns {{ setting: string, port: number, hostSetting: string, host: string }[]}
 */
export function portsOf(given) {
  const env = withPublicDefaults(given);
  const host = env.HOST || '127.0.0.1';
  const panel = { setting: 'PORT', port: env.PORT || '8080', hostSetting: 'HOST', host };
  const ports = [panel, ...metricsPorts(env), ...(runsProvider(env) ? edgePorts(env, panel) : [])];
  return ports
    .map((one) => ({ ...one, port: Number(one.port) }))
    .filter(({ port }) => Number.isInteger(port) && port > 0 && port < 65_536);
}

function metricsPorts(env) {
  const first = Number(env.METRICS_PORT || 0);
  const host = env.METRICS_HOST || '127.0.0.1';
  return (first > 0 ? startedNames(env) : []).map((_, at) => ({
    setting: 'METRICS_PORT',
    port: first + at,
    hostSetting: 'METRICS_HOST',
    host,
  }));
}

/** The edge listens where the panel does, and by default beside it. */
function edgePorts(env, panel) {
  const portOf = (setting, port, hostSetting, host) => ({ setting, port, hostSetting, host });
  const edgeHost = ['EDGE_HOST', env.EDGE_HOST || panel.host];
  const visitors = env.EDGE_HTTP_PORT
    ? portOf('EDGE_HTTP_PORT', env.EDGE_HTTP_PORT, ...edgeHost)
    : portOf(
        'TUNNEL_PUBLIC_PORT',
        env.TUNNEL_PUBLIC_PORT || (Number(panel.port) && Number(panel.port) + 1),
        ...edgeHost,
      );
  const connectorHost = env.EDGE_CONNECTOR_HOST || panel.host;
  return [
    visitors,
    portOf('EDGE_HTTPS_PORT', env.EDGE_HTTPS_PORT || 0, ...edgeHost),
    portOf('EDGE_CONNECTOR_PORT', env.EDGE_CONNECTOR_PORT || 7_844, 'EDGE_CONNECTOR_HOST', connectorHost),
    ...(env.EDGE_PEER_SECRET
      ? [
          portOf(
            'EDGE_PEER_PORT',
            env.EDGE_PEER_PORT || 0,
            'EDGE_PEER_HOST',
            env.EDGE_PEER_HOST || '127.0.0.1',
          ),
        ]
      : []),
  ];
}

/**
 * Why `npm start` cannot listen on all its ports; null when it can. To be asked before anything is installed or started:
 * the processes would only find out at the end.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | null>}
 */
export async function takenPort(env) {
  const seen = new Map();
  for (const one of portsOf(env)) {
    const before = seen.get(`${one.host} ${one.port}`);
    if (before) return `${before} and ${one.setting} ask for the same port ${one.port}. Change one of them.`;
    if (isGamePort(env, one.port))
      return `${one.setting} asks for port ${one.port}, which is one of EDGE_TCP_PORTS. Change one of them.`;
    seen.set(`${one.host} ${one.port}`, one.setting);
    const reason = await probe(one);
    if (reason) return reason;
  }
  return null;
}

/** Whether a port is one of those for game servers. */
function isGamePort(env, port) {
  if (!env.EDGE_TCP_PORTS || !runsProvider(env)) return false;
  const [first, last] = env.EDGE_TCP_PORTS.split('-').map(Number);
  return first <= port && port <= last;
}

function probe({ setting, port, hostSetting, host }) {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', ({ code }) => {
      if (code === 'EADDRINUSE')
        done(`Port ${port} is already in use. Choose another: ${setting}=${port + 1} npm start`);
      else if (code === 'EACCES')
        done(
          `Port ${port} requires root or the capability CAP_NET_BIND_SERVICE. Otherwise choose one above 1023: ${setting}=8080 npm start`,
        );
      else done(`Cannot listen on ${host}:${port} (${code}). Check ${hostSetting} and ${setting}.`);
    });
    server.listen(port, host, () => server.close(() => done(null)));
  });
}

const portSettings = [
  'ACME_EMAIL',
  ...['HOST', 'PORT', 'METRICS_HOST', 'METRICS_PORT', 'TUNNEL_PROVIDER', 'TUNNEL_PUBLIC_PORT'],
  ...['EDGE_HOST', 'EDGE_HTTP_PORT', 'EDGE_HTTPS_PORT', 'EDGE_CONNECTOR_HOST', 'EDGE_CONNECTOR_PORT'],
  ...['EDGE_PEER_HOST', 'EDGE_PEER_PORT', 'EDGE_PEER_SECRET', 'EDGE_PROCESSES'],
  ...['EDGE_TCP_PORTS', 'PROCESSES'],
];

/**
 * The settings about ports from the environment and SETTINGS_FOLDER, read without the packages that read all of them.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function portSettingsOf(env) {
  return Object.fromEntries(portSettings.map((name) => [name, env[name] || inFolder(env, name)]));
}

function inFolder({ SETTINGS_FOLDER: folder }, name) {
  if (!folder) return undefined;
  try {
    return readFileSync(join(folder, name), 'utf8').trim();
  } catch {
    // Not there. The code that reads the folder reports what cannot be read.
    return undefined;
  }
}
