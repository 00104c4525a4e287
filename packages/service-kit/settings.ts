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

/** The most EDGE_DRAIN_MS may be: whoever stops an edge waits longer than that. */
export const longestDrainMs = 60_000;

/**
 * Every setting of every process, in one place: name, form, default. A process picks the ones it needs.
 * Values described as `secret` are never printed.
 */
export const knownSettings = {
  /** A folder of files named by settings, holding the values that the environment leaves out: where secrets lie. */
  SETTINGS_FOLDER: z.string().optional(),
  /** The least that is worth a line. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Where this process answers `/livez` and `/readyz`; nowhere when left out. `npm start` ignores it: METRICS_PORT answers them. */
  HEALTH_PORT: port.optional(),
  /** Where this process answers `/metrics`, `/livez` and `/readyz`; 0: nowhere. Never a port the public reaches. */
  METRICS_PORT: port.default(0),
  /** The address for METRICS_PORT. */
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Folders, separated by commas, on whose disks the stores keep their data: their free space is watched. `npm start` names its own. */
  DISK_FOLDERS: z
    .string()
    .regex(/^\/[^,]*(,\/[^,]*)*$/, 'absolute paths, separated by commas')
    .optional(),
  /** Below so much free space, in bytes, nothing new is created; what exists goes on. */
  DISK_RESERVE: positive.default(500_000_000),
  /** Of the requests that are neither slow nor failed, the share that is logged. */
  LOG_SAMPLE: z.coerce.number().min(0).max(1).default(0.01),
  /** Where traces are sent (OTLP over HTTP); none are made when left out. The other OTEL_EXPORTER_OTLP_* count too. */
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  /** The share of the requests that are traced. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** postgres://role:password@host/database; `?host=/folder` names a unix socket's folder. */
  DATABASE_URL: secret,
  /** Connections to Postgres of this process at most, and 2 at least: a service keeps one of them for short reads. */
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).default(8),
  /** nats://user:password@host:port */
  NATS_URL: secret,
  /** redis://user:password@host:port, or unix://user:password@localhost/path */
  REDIS_URL: secret,
  /** Names this installation at the tunnel provider; made at the first start when left out. Must never change: another one is refused. */
  INSTALLATION_ID: z.string().regex(/^[a-z0-9]{4,32}$/),
  /** Where this process listens; a free port when it is 0. */
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(0),
  /** Which proxies in front may name the visitor's address: a hop count or a list of addresses. */
  TRUST_PROXY: trustProxy,
  /** The panel's own address when it lies behind a proxy; decides cookies and the allowed Origin. */
  PUBLIC_URL: webAddress.optional(),
  /** The three frontends: an address that serves them, or a folder. */
  PANEL_SHELL: z.string(),
  PANEL_USER: z.string(),
  PANEL_ADMIN: z.string(),
  /** Sign sessions and what auth says about them; the first is in use, the others are still accepted. A path: read again when it changes. */
  SESSION_KEYS: keyRing,
  /** The public halves of SESSION_KEYS, by which everybody else believes what auth has signed. Made from SESSION_KEYS when left out. */
  SESSION_PUBLIC_KEYS: keyRing,
  /** Encrypt tunnel tokens; as SESSION_KEYS. */
  TOKEN_KEYS: keyRing,
  /** Subdomains lie below it. */
  TUNNEL_DOMAIN: z.string().regex(/^[a-z0-9.-]+$/),
  /** The port visitors use for the subdomains. */
  TUNNEL_PUBLIC_PORT: port,
  /** Where the edge listens for visitors; the HTTP port is TUNNEL_PUBLIC_PORT when left out. */
  EDGE_HOST: z.string().default('127.0.0.1'),
  EDGE_HTTP_PORT: port.optional(),
  EDGE_HTTPS_PORT: port.optional(),
  /** Files of the wildcard certificate and its key, PEM; read again when they change. */
  EDGE_TLS_CERT: z.string().optional(),
  EDGE_TLS_KEY: z.string().optional(),
  /** As TRUST_PROXY, for visitors of the subdomains: who may name their address and scheme. */
  EDGE_TRUST_PROXY: trustProxy,
  /** Requests running at once, per tunnel; a visitor address holds at most as many as it leaves free. */
  EDGE_CONCURRENT_LIMIT: positive.default(256),
  /** The same for what stays open: WebSockets, event streams, long polls, and whatever has run for 10 s. */
  EDGE_LONG_LIVED_LIMIT: positive.default(256),
  /** Requests a minute, per tunnel, and per visitor address of a tunnel. Behind a proxy of yours set EDGE_TRUST_PROXY, or all visitors are one. */
  EDGE_REQUEST_LIMIT_PER_MINUTE: positive.default(12_000),
  EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: positive.default(4_000),
  /** Requests a minute that change something, per visitor address and tunnel. */
  EDGE_MUTATION_LIMIT_PER_MINUTE: positive.default(120),
  /** Sign-in attempts in 15 minutes, per visitor address and tunnel. */
  EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: positive.default(8),
  /** The largest request body, in bytes. */
  EDGE_BODY_LIMIT_BYTES: positive.default(1_073_741_824),
  /** How long a panel may take to begin its answer, and a request may lie still, in ms. */
  EDGE_RESPONSE_TIMEOUT_MS: positive.default(120_000),
  EDGE_IDLE_TIMEOUT_MS: positive.default(600_000),
  /** How long running requests may take to finish when the edge stops, in ms; a minute at most. */
  EDGE_DRAIN_MS: positive.max(longestDrainMs).default(7_000),
  /** Where the edge listens for connectors (TLS). */
  EDGE_CONNECTOR_HOST: z.string().default('127.0.0.1'),
  EDGE_CONNECTOR_PORT: port.default(7_844),
  /** Sockets from one address that have not registered yet. */
  EDGE_CONNECTOR_PENDING_LIMIT: positive.default(64),
  /** How often connectors are asked for a sign of life, and how long they may take to register, in ms. */
  EDGE_CONNECTOR_PING_MS: positive.default(15_000),
  EDGE_CONNECTOR_REGISTER_MS: positive.default(10_000),
  /** How long what runs on a connector that says good-bye may take to finish, in ms. When the edge itself stops, EDGE_DRAIN_MS counts. */
  EDGE_CONNECTOR_DRAIN_MS: positive.default(60_000),
  /** What connectors are told about where they are connected. */
  EDGE_LOCATION: z
    .string()
    .regex(/^[\w-]{1,32}$/)
    .default('talpa'),
  /** The certificate authority connectors must trust to use our edge, as PEM, and its key; made when missing. */
  EDGE_CA_FILE: z.string().optional(),
  EDGE_CA_KEY_FILE: z.string().optional(),
  /** Where connectors reach our edge, `host:port`; stands in the install instructions. */
  EDGE_ADDRESS: z
    .string()
    .regex(/^[\w.:[\]-]+:\d+$/, 'host:port')
    .optional(),
  /** Several edges hand requests to each other here; the secret is the same on all of them. */
  EDGE_PEER_HOST: z.string().default('127.0.0.1'),
  EDGE_PEER_PORT: port.default(0),
  /** host:port under which the other edges reach this one. */
  EDGE_PEER_ADDRESS: z.string().optional(),
  EDGE_PEER_SECRET: z.string().min(32).optional().describe('secret'),
  /** Where a day begins in figures about traffic: an IANA name. */
  TIME_ZONE: z.string().refine(isTimeZone, 'not a time zone').default('Europe/Berlin'),
  /** Who carries the tunnels: our own provider and edge, or Cloudflare. */
  TUNNEL_PROVIDER: z.enum(['embedded', 'cloudflare']).default('embedded'),
  /** The provider's API and what it is asked with; of the embedded one all is made by itself. */
  CLOUDFLARE_BASE_URL: webAddress.default('https://api.cloudflare.com/client/v4'),
  CLOUDFLARE_API_TOKEN: secret,
  CLOUDFLARE_ACCOUNT_ID: z.string().min(1),
  CLOUDFLARE_ZONE_ID: z.string().min(1),
  /** Names nobody may take as subdomain or user name beside those built in, with commas between them: `name`, `name-*` (what begins so) or `*name*` (what has it between hyphens). */
  RESERVED_NAMES: reservedNames,
  /** Password hashes computed at once; one per core is right. */
  HASH_CONCURRENCY: positive.default(2),
  /** Wrong passwords a minute: per address, and per user for those who give their own once more. */
  SIGN_IN_LIMIT_PER_MINUTE: positive.default(10),
  /** Wrong passwords a minute for one name, from all addresses together that never signed in to it. */
  SIGN_IN_NAME_LIMIT_PER_MINUTE: positive.default(50),
  /** Registrations a minute, per address and per name. */
  REGISTER_LIMIT_PER_MINUTE: positive.default(10),
  /** Requests a minute, per user (or address before signing in), counted by each gateway for itself. */
  REQUEST_LIMIT_PER_MINUTE: positive.default(600),
  /** Changes among them, counted for all gateways together. */
  MUTATION_LIMIT_PER_MINUTE: positive.default(120),
  /** A user's questions a minute whether a subdomain is free: half as many as they could try by creating and editing. */
  SUBDOMAIN_CHECK_LIMIT_PER_MINUTE: positive.default(60),
  /** Open live streams of one user, and of all, on one gateway. */
  LIVE_USER_STREAM_LIMIT: positive.default(20),
  LIVE_STREAM_LIMIT: positive.default(10_000),
  /** A user's calls a minute that each cost calls of the provider. An open install dialog asks 20 times. */
  TUNNEL_TOKEN_LIMIT_PER_MINUTE: positive.default(20),
  TUNNEL_STATUS_LIMIT_PER_MINUTE: positive.default(40),
  PROXY_HEALTH_LIMIT_PER_MINUTE: positive.default(120),
  RECREATE_LIMIT_PER_MINUTE: positive.default(5),
  /** How long a create, edit or recreate waits for the provider, in ms. */
  PROVISION_WAIT_MS: positive.default(8_000),
  /** Calls of the provider in five minutes, of all workers together; it allows 1 200 to its token. */
  PROVIDER_CALL_LIMIT_PER_5_MINUTES: positive.default(1_100),
  /** What of them only those may use for whom somebody waits. */
  PROVIDER_INTERACTIVE_SHARE: z.coerce.number().min(0.1).max(0.9).default(0.4),
  /** How often a provider call that may still succeed is tried before it becomes a dead letter. */
  PROVISION_ATTEMPTS: positive.default(8),
  /** How often all tunnels' health is asked for, in ms. */
  HEALTH_INTERVAL_MS: positive.default(30_000),
  /** How often leftovers at the provider are looked for, and how old they must be, in ms. */
  RESYNC_INTERVAL_MS: positive.default(600_000),
  RESYNC_GRACE_MS: positive.default(900_000),
  /** More tunnels and records than that are not removed at once without an operator's word. */
  RESYNC_MAX_DELETIONS: positive.default(10),
  /** How often lagging proxies are looked for, in ms. */
  SWEEP_INTERVAL_MS: positive.default(15_000),
  /** On how many servers NATS keeps each stream; set up by the launcher and `migrate`. */
  STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  /** How often it is looked whether NATS has lost its store, in ms. */
  STREAM_WATCH_MS: positive.default(15_000),
  /** Opens the routes that inject faults. Never in production. */
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
