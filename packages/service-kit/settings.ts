import { reservedPattern } from '@talpa/contracts';
import { z } from 'zod';
import { withSettingsFolder } from './settings-folder.ts';
import { isTrustProxy } from './trust-proxy.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true');
const keyRing = z
  .string()
  .regex(/^(\/.+|[\w-]+:[\w-]{43,}(,[\w-]+:[\w-]{43,})*)$/, 'kid:base64url[,kid:base64url] or a path')
  .describe('secret');
const secret = z.string().min(1).describe('secret');
const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};
const webAddress = z.url({ protocol: /^https?$/, error: 'not an http or https address' });
const trustProxy = z.string().refine(isTrustProxy, 'neither a hop count nor a list of addresses').default('');
const reservedNames = z
  .string()
  .default('')
  .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
  .transform((names) => names.filter((name) => name !== ''))
  .refine((names) => names.every((name) => reservedPattern.test(name)), 'not name, name-* or *name*');
const positive = z.coerce.number().int().positive();

/** The maximum of EDGE_DRAIN_MS: everything that stops an edge waits longer than this. */
export const longestDrainMs = 60_000;

/**
 * Every setting of every process, in one place: name, form, default. A process picks the ones it needs.
 * Values described as `secret` are never printed.
 */
export const knownSettings = {
  /** A folder with one file per setting, read for settings that the environment leaves out. Put secrets there. */
  SETTINGS_FOLDER: z.string().optional(),
  /** The lowest level that is logged. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** The port of `/livez` and `/readyz`; off when left out. `npm start` ignores it and serves them on METRICS_PORT. */
  HEALTH_PORT: port.optional(),
  /** The port of `/metrics`, `/livez` and `/readyz`; 0 turns it off. It has no sign-in: never make it public. */
  METRICS_PORT: port.default(0),
  /** The address for METRICS_PORT. */
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Folders of the stores' data, separated by commas. The free space of their disks is checked. `npm start` sets its own. */
  DISK_FOLDERS: z
    .string()
    .regex(/^\/[^,]*(,\/[^,]*)*$/, 'absolute paths, separated by commas')
    .optional(),
  /** The free space, in bytes, below which no users and no proxies are created. Everything else keeps working. */
  DISK_RESERVE: positive.default(500_000_000),
  /** The share of requests that is logged. Slow and failed requests are always logged. */
  LOG_SAMPLE: z.coerce.number().min(0).max(1).default(0.01),
  /** Where traces are sent (OTLP over HTTP); no traces when left out. Other OTEL_EXPORTER_OTLP_* variables are respected. */
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  /** The share of requests that is traced. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** postgres://role:password@host/database; `?host=/folder` selects the folder of a unix socket. */
  DATABASE_URL: secret,
  /** The maximum of Postgres connections of this process, at least 2. A service uses one of them for short reads. */
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).default(8),
  /** nats://user:password@host:port */
  NATS_URL: secret,
  /** redis://user:password@host:port, or unix://user:password@localhost/path */
  REDIS_URL: secret,
  /** Identifies this installation's tunnels at the tunnel provider; generated at the first start when left out. It must never change: another value is refused. */
  INSTALLATION_ID: z.string().regex(/^[a-z0-9]{4,32}$/),
  /** The address and port of this process; 0 selects a free port. */
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(0),
  /** The proxies in front that may set the client's address: a hop count or a list of addresses. */
  TRUST_PROXY: trustProxy,
  /** The panel's public address when it is behind a proxy; decides secure cookies and the allowed Origin. */
  PUBLIC_URL: webAddress.optional(),
  /** The files of the three frontends: a folder, or an address that serves them. */
  PANEL_SHELL: z.string(),
  PANEL_USER: z.string(),
  PANEL_ADMIN: z.string(),
  /** Sign sessions and assertions. The first key signs, the others are still accepted. A path is read again when the file changes. */
  SESSION_KEYS: keyRing,
  /** The public halves of SESSION_KEYS, with which all other processes verify signatures. Derived from SESSION_KEYS when left out. */
  SESSION_PUBLIC_KEYS: keyRing,
  /** Encrypt tunnel tokens. The first key encrypts, the others still decrypt. A path is read again when the file changes. */
  TOKEN_KEYS: keyRing,
  /** The domain of all subdomains. */
  TUNNEL_DOMAIN: z.string().regex(/^[a-z0-9.-]+$/),
  /** The public port of the subdomains. */
  TUNNEL_PUBLIC_PORT: port,
  /** Where the edge listens for visitors. EDGE_HTTP_PORT is TUNNEL_PUBLIC_PORT when left out. */
  EDGE_HOST: z.string().default('127.0.0.1'),
  EDGE_HTTP_PORT: port.optional(),
  EDGE_HTTPS_PORT: port.optional(),
  /** PEM files of the wildcard certificate and its key; read again when they change. */
  EDGE_TLS_CERT: z.string().optional(),
  EDGE_TLS_KEY: z.string().optional(),
  /** The proxies in front of the subdomains that may set the visitor's address and scheme: as TRUST_PROXY. */
  EDGE_TRUST_PROXY: trustProxy,
  /** Concurrent requests per tunnel. One visitor address may use at most as many as it leaves free. */
  EDGE_CONCURRENT_LIMIT: positive.default(256),
  /** The same for long requests: WebSockets, event streams, long polls, and requests that have run for 10 s. */
  EDGE_LONG_LIVED_LIMIT: positive.default(256),
  /** Requests per minute, per tunnel and per visitor address of a tunnel. Behind a proxy set EDGE_TRUST_PROXY, otherwise all visitors share one address. */
  EDGE_REQUEST_LIMIT_PER_MINUTE: positive.default(12_000),
  EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: positive.default(4_000),
  /** Changing requests per minute, per visitor address and tunnel. */
  EDGE_MUTATION_LIMIT_PER_MINUTE: positive.default(120),
  /** Sign-in attempts per 15 minutes, per visitor address and tunnel. */
  EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: positive.default(8),
  /** The maximum size of a request body, in bytes. */
  EDGE_BODY_LIMIT_BYTES: positive.default(1_073_741_824),
  /** How long a panel may take to begin its response, and how long a request may be idle, in ms. */
  EDGE_RESPONSE_TIMEOUT_MS: positive.default(120_000),
  EDGE_IDLE_TIMEOUT_MS: positive.default(600_000),
  /** How long running requests may take to finish when the edge stops, in ms; at most one minute. */
  EDGE_DRAIN_MS: positive.max(longestDrainMs).default(7_000),
  /** Where the edge listens for connectors (TLS). */
  EDGE_CONNECTOR_HOST: z.string().default('127.0.0.1'),
  EDGE_CONNECTOR_PORT: port.default(7_844),
  /** Connections from one address that have not registered yet. */
  EDGE_CONNECTOR_PENDING_LIMIT: positive.default(64),
  /** How often connectors are pinged, and how long they may take to register, in ms. */
  EDGE_CONNECTOR_PING_MS: positive.default(15_000),
  EDGE_CONNECTOR_REGISTER_MS: positive.default(10_000),
  /** How long running requests may take to finish when their connector unregisters, in ms. When the edge itself stops, EDGE_DRAIN_MS counts. */
  EDGE_CONNECTOR_DRAIN_MS: positive.default(60_000),
  /** The location that the edge reports to connectors. */
  EDGE_LOCATION: z
    .string()
    .regex(/^[\w-]{1,32}$/)
    .default('talpa'),
  /** PEM files of the edge's certificate authority, which connectors must trust, and of its key; generated when missing. */
  EDGE_CA_FILE: z.string().optional(),
  EDGE_CA_KEY_FILE: z.string().optional(),
  /** The address that connectors dial, `host:port`; the install instructions show it. */
  EDGE_ADDRESS: z
    .string()
    .regex(/^[\w.:[\]-]+:\d+$/, 'host:port')
    .optional(),
  /** Where this edge accepts requests that other edges forward. EDGE_PEER_SECRET is the same on all edges. */
  EDGE_PEER_HOST: z.string().default('127.0.0.1'),
  EDGE_PEER_PORT: port.default(0),
  /** The `host:port` at which other edges reach this edge. */
  EDGE_PEER_ADDRESS: z.string().optional(),
  EDGE_PEER_SECRET: z.string().min(32).optional().describe('secret'),
  /** The time zone of the days in traffic figures: an IANA name. */
  TIME_ZONE: z.string().refine(isTimeZone, 'not a time zone').default('Europe/Berlin'),
  /** The tunnel provider: the embedded provider with its edge, or Cloudflare. */
  TUNNEL_PROVIDER: z.enum(['embedded', 'cloudflare']).default('embedded'),
  /** The address and the credentials of Cloudflare's API. The embedded provider needs none of them. */
  CLOUDFLARE_BASE_URL: webAddress.default('https://api.cloudflare.com/client/v4'),
  CLOUDFLARE_API_TOKEN: secret,
  CLOUDFLARE_ACCOUNT_ID: z.string().min(1),
  CLOUDFLARE_ZONE_ID: z.string().min(1),
  /** Reserved subdomains and user names, in addition to the built-in ones, separated by commas: `name`, `name-*` (names that begin with it) or `*name*` (names that contain it between hyphens). */
  RESERVED_NAMES: reservedNames,
  /** Password hashes computed concurrently; set one per core. */
  HASH_CONCURRENCY: positive.default(2),
  /** Wrong passwords per minute: per address, and per user where a signed-in user confirms their password. */
  SIGN_IN_LIMIT_PER_MINUTE: positive.default(10),
  /** Wrong passwords per minute for one name, from all addresses together that have not signed in to it. */
  SIGN_IN_NAME_LIMIT_PER_MINUTE: positive.default(50),
  /** Registrations per minute, per address and per name. */
  REGISTER_LIMIT_PER_MINUTE: positive.default(10),
  /** Requests per minute, per user (or address before sign-in). Each gateway counts separately. */
  REQUEST_LIMIT_PER_MINUTE: positive.default(600),
  /** Changing requests per minute, per user (or address before sign-in), counted for all gateways together. */
  MUTATION_LIMIT_PER_MINUTE: positive.default(120),
  /** Availability checks of subdomains per minute and user. The default is half of MUTATION_LIMIT_PER_MINUTE. */
  SUBDOMAIN_CHECK_LIMIT_PER_MINUTE: positive.default(60),
  /** Open live streams per gateway: of one user, and of all users. */
  LIVE_USER_STREAM_LIMIT: positive.default(20),
  LIVE_STREAM_LIMIT: positive.default(10_000),
  /** Calls per minute and user that each cause provider calls. An open install dialog makes 20 per minute. */
  TUNNEL_TOKEN_LIMIT_PER_MINUTE: positive.default(20),
  TUNNEL_STATUS_LIMIT_PER_MINUTE: positive.default(40),
  PROXY_HEALTH_LIMIT_PER_MINUTE: positive.default(120),
  RECREATE_LIMIT_PER_MINUTE: positive.default(5),
  /** How long a create, edit or recreate waits for the provider, in ms. */
  PROVISION_WAIT_MS: positive.default(8_000),
  /** Provider calls per five minutes, of all workers together. Cloudflare allows 1 200. */
  PROVIDER_CALL_LIMIT_PER_5_MINUTES: positive.default(1_100),
  /** The share of PROVIDER_CALL_LIMIT_PER_5_MINUTES that is reserved for the interactive lane. */
  PROVIDER_INTERACTIVE_SHARE: z.coerce.number().min(0.1).max(0.9).default(0.4),
  /** How often a job is tried before it becomes a dead letter. */
  PROVISION_ATTEMPTS: positive.default(8),
  /** How often the worker fetches the health of all tunnels, in ms. */
  HEALTH_INTERVAL_MS: positive.default(30_000),
  /** How often the resync looks for leftovers at the provider, and how old a leftover must be before it is removed, in ms. */
  RESYNC_INTERVAL_MS: positive.default(600_000),
  RESYNC_GRACE_MS: positive.default(900_000),
  /** The maximum of tunnels and records that one resync removes without an operator's confirmation. */
  RESYNC_MAX_DELETIONS: positive.default(10),
  /** How often the sweep looks for lagging proxies, in ms. */
  SWEEP_INTERVAL_MS: positive.default(15_000),
  /** The number of NATS servers that keep each stream; applied by the launcher and by `migrate`. */
  STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  /** How often a service checks whether NATS has lost its streams, in ms. */
  STREAM_WATCH_MS: positive.default(15_000),
  /** Enables the routes that inject faults. Never set it in production. */
  FAULT_INJECTION: flag.default(false),
  /** Links in the panel's footer. */
  IMPRINT_URL: webAddress.optional(),
  PRIVACY_URL: webAddress.optional(),
  TERMS_URL: webAddress.optional(),
  SUPPORT_URL: webAddress.optional(),
} as const satisfies Record<string, z.ZodType>;

type Known = typeof knownSettings;
export type SettingName = keyof Known;
export type Settings<N extends SettingName> = { readonly [K in N]: z.output<Known[K]> };

/**
 * Reads and checks the named settings from the environment and SETTINGS_FOLDER.
 * @throws Error naming every missing or malformed setting, without its value.
 */
export function readSettings<const N extends SettingName>(
  names: readonly N[],
  environment: NodeJS.ProcessEnv = process.env,
): Settings<N> {
  const problems: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  const given = withSettingsFolder(environment);
  for (const name of names) {
    const result = knownSettings[name].safeParse(given[name]);
    if (result.success) values[name] = result.data;
    else problems.push(`${name}: ${result.error.issues[0]?.message ?? 'invalid'}`);
  }
  if (problems.length > 0) throw new Error(`Settings are missing or wrong: ${problems.join('; ')}`);
  return values as Settings<N>;
}

/** Settings as they may be shown: of a secret only that it is set. */
export function printable(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const isSecret = knownSettings[name as SettingName].description === 'secret';
      return [name, isSecret && value !== undefined ? '[set]' : value];
    }),
  );
}
