import { factorPolicies, registrationModes, tunnelProviderNames } from '@talpa/contracts';
import { z } from 'zod';
import { acmeSettings } from './acme-settings.ts';
import { edgeSettings } from './edge-settings.ts';
import {
  addressRanges,
  flag,
  keyRing,
  mailAddress,
  nameServers,
  port,
  positive,
  reservedNames,
  secret,
  smtpAddress,
  trustProxy,
  webAddress,
} from './setting-forms.ts';
import { withSettingsFolder } from './settings-folder.ts';
import { signInProviders } from './sign-in-providers.ts';

const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};

/**
 * Every setting of every process, in one place: name, form, default, description. A process picks the ones it needs. Values of
 * those marked `secret` are never printed.
 */
export const knownSettings = {
  SETTINGS_FOLDER: z.string().optional().meta({
    description:
      'A folder with one file per setting, read for settings that the environment leaves out. Put secrets there.',
  }),
  PROCESSES: z.enum(['auto', 'separate', 'grouped']).default('auto').meta({
    description:
      'Whether `npm start` runs each service as a process of its own, or all services but gateway and edge in one, which needs less than half of the memory in all (`separate`, `grouped`). `auto`: grouped on machines with at most two cores or less than 4 GiB.',
  }),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .meta({ description: 'The lowest level that is logged.' }),
  HEALTH_PORT: port.optional().meta({
    description:
      'The port of `/livez` and `/readyz`; off when left out. `npm start` ignores it and serves them on METRICS_PORT.',
  }),
  METRICS_PORT: port.default(0).meta({
    description:
      'The port of `/metrics`, `/livez` and `/readyz`; 0 turns it off. It has no sign-in: never make it public.',
  }),
  METRICS_HOST: z.string().default('127.0.0.1').meta({ description: 'The address for METRICS_PORT.' }),
  DISK_FOLDERS: z
    .string()
    .regex(/^\/[^,]*(,\/[^,]*)*$/, 'absolute paths, separated by commas')
    .optional()
    .meta({
      description:
        "Folders of the stores' data, separated by commas. The free space of their disks is checked. `npm start` sets its own.",
    }),
  DISK_RESERVE: positive.default(500_000_000).meta({
    description:
      'The free space, in bytes, below which no users and no proxies are created. Everything else keeps working.',
  }),
  LOG_SAMPLE: z.coerce.number().min(0).max(1).default(0.01).meta({
    description: 'The share of requests that is logged. Slow and failed requests are always logged.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional().meta({
    description:
      'Where traces are sent (OTLP over HTTP); no traces when left out. Other OTEL_EXPORTER_OTLP_* variables are respected.',
  }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .meta({ description: 'The share of requests that is traced.' }),
  DATABASE_URL: secret.meta({
    description:
      'postgres://role:password@host/database; `?host=/folder` selects the folder of a unix socket.',
  }),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).default(8).meta({
    description:
      'The maximum of Postgres connections of this process, at least 2. A service uses one of them for short reads.',
  }),
  NATS_URL: secret.meta({ description: 'nats://user:password@host:port' }),
  REDIS_URL: secret.meta({
    description: 'redis://user:password@host:port, or unix://user:password@localhost/path',
  }),
  INSTALLATION_ID: z
    .string()
    .regex(/^[a-z0-9]{4,32}$/)
    .meta({
      description:
        "Identifies this installation's tunnels at the tunnel provider; generated at the first start when left out. It must never change: another value is refused.",
    }),
  HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: 'The address and port of this process; 0 selects a free port.' }),
  PORT: port.default(0),
  TRUST_PROXY: trustProxy.meta({
    description:
      "The proxies in front that may set the client's address: a hop count or a list of addresses.",
  }),
  PUBLIC_URL: webAddress.optional().meta({
    description:
      "The panel's public address when it is behind a proxy; decides secure cookies, the allowed Origin, the address in links, and the host that passkeys belong to (RP ID). After a change of that host, no passkey works any more. Passkeys need https and a hostname, or localhost. Without it there are no passkeys, and visitors of protected proxies, their owners too, cannot sign in with an account.",
  }),
  PANEL_SHELL: z
    .string()
    .meta({ description: 'The files of the three frontends: a folder, or an address that serves them.' }),
  PANEL_USER: z.string(),
  PANEL_ADMIN: z.string(),
  SESSION_KEYS: keyRing.meta({
    description:
      'Sign sessions and assertions. The first key signs, the others are still accepted. A path is read again when the file changes.',
  }),
  SESSION_PUBLIC_KEYS: keyRing.meta({
    description:
      'The public halves of SESSION_KEYS, with which all other processes verify signatures. Derived from SESSION_KEYS when left out.',
  }),
  TOKEN_KEYS: keyRing.meta({
    description:
      'Encrypt tunnel tokens. The first key encrypts, the others still decrypt. A path is read again when the file changes.',
  }),
  FACTOR_KEYS: keyRing.meta({
    description:
      'Encrypt the secrets of authenticator apps. The first key encrypts, the others still decrypt. A path is read again when the file changes.',
  }),
  CHANNEL_KEYS: keyRing.meta({
    description:
      'Encrypt the addresses and secrets of notification channels. The first key encrypts, the others still decrypt. A path is read again when the file changes.',
  }),
  TUNNEL_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/)
    .meta({ description: 'The domain of all subdomains.' }),
  TUNNEL_PUBLIC_PORT: port.meta({ description: 'The public port of the subdomains.' }),
  ...acmeSettings,
  ...edgeSettings,
  TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'not a time zone')
    .default('Europe/Berlin')
    .meta({ description: 'The time zone of the days in traffic figures: an IANA name.' }),
  TUNNEL_PROVIDER: z
    .enum(tunnelProviderNames)
    .default('embedded')
    .meta({ description: 'The tunnel provider: the embedded provider with its edge, or Cloudflare.' }),
  CLOUDFLARE_BASE_URL: webAddress.default('https://api.cloudflare.com/client/v4').meta({
    description:
      "The address and the credentials of Cloudflare's API. The embedded provider needs none of them.",
  }),
  CLOUDFLARE_API_TOKEN: secret,
  CLOUDFLARE_ACCOUNT_ID: z.string().min(1),
  CLOUDFLARE_ZONE_ID: z.string().min(1),
  RESERVED_NAMES: reservedNames.meta({
    description:
      'Reserved subdomains and user names, in addition to the built-in ones, separated by commas: `name`, `name-*` (names that begin with it) or `*name*` (names that contain it between hyphens).',
  }),
  HASH_CONCURRENCY: positive
    .default(2)
    .meta({ description: 'Password hashes computed concurrently; set one per core.' }),
  SIGN_IN_LIMIT_PER_MINUTE: positive.default(10).meta({
    description:
      'Wrong passwords per minute, and as many wrong reset links and wrong invitation codes: per address, and per user where a signed-in user confirms their password.',
  }),
  SIGN_IN_NAME_LIMIT_PER_MINUTE: positive.default(50).meta({
    description:
      'Wrong passwords per minute for one name, from all addresses together that have not signed in to it.',
  }),
  WRONG_CODE_LIMIT_PER_QUARTER_HOUR: positive.default(10).meta({
    description:
      "Wrong codes of a user's second factor within 15 minutes: from each browser that has signed in before, and from all others together.",
  }),
  REGISTRATION: z.enum(registrationModes).default('open').meta({
    description:
      'Who may register: everyone, only users with an invitation, or no one (`open`, `invite`, `closed`).',
  }),
  EMAIL_REQUIRED: flag.default(false).meta({
    description:
      'Registering takes an email address, and without a verified one nobody creates proxies or changes their plan (`true`, `false`).',
  }),
  SECOND_FACTOR: z.enum(factorPolicies).default('optional').meta({
    description:
      'Who must have a second factor: nobody, administrators, or everyone (`optional`, `administrators`, `everyone`). Those who have none set it up before anything else.',
  }),
  SIGN_IN_PROVIDERS: signInProviders.meta({
    secret: true,
    description:
      'The OpenID Connect providers and Discord that users may sign in with: a list in JSON, described in [sign-in-providers.md](sign-in-providers.md). It needs PUBLIC_URL.',
  }),
  REGISTER_LIMIT_PER_MINUTE: positive
    .default(10)
    .meta({ description: 'Registrations per minute, per address and per name.' }),
  REGISTRATION_PROOF_AFTER: z.coerce.number().int().min(0).default(10).meta({
    description:
      'After how many registrations from one network (IPv4 /24, IPv6 /48) within an hour each further one takes a proof of work, which browsers compute by themselves.',
  }),
  REGISTRATION_PROOF_BITS: z.coerce.number().int().min(1).max(24).default(18).meta({
    description:
      'How hard that proof is, in bits: each one more doubles the computation. With 18 a desktop browser computes for about half a second.',
  }),
  PASSWORD_RESET_LIMIT_PER_HOUR: positive.default(10).meta({
    description:
      'Requests for a reset link by email, per hour and address. An account gets three of them an hour.',
  }),
  REQUEST_LIMIT_PER_MINUTE: positive.default(600).meta({
    description: 'Requests per minute, per user (or address before sign-in). Each gateway counts separately.',
  }),
  MUTATION_LIMIT_PER_MINUTE: positive.default(120).meta({
    description:
      'Changing requests per minute, per user (or address before sign-in), counted for all gateways together.',
  }),
  SUBDOMAIN_CHECK_LIMIT_PER_MINUTE: positive.default(60).meta({
    description:
      'Availability checks of subdomains per minute and user. The default is half of MUTATION_LIMIT_PER_MINUTE.',
  }),
  ADDRESS_CONNECTION_LIMIT: positive.default(1_000).meta({
    description:
      'Open connections to a gateway per address. Those of proxies in TRUST_PROXY are not limited; behind any other proxy all users share one address.',
  }),
  CONNECTION_LIMIT: positive.default(16_000).meta({
    description:
      'Open connections to a gateway, at most as many as it may open files (`ulimit -n`) less 512. One more closes the one that has been idle longest. Live streams take up nine tenths.',
  }),
  LIVE_USER_STREAM_LIMIT: positive
    .default(20)
    .meta({ description: 'Open live streams per gateway: of one user, and of all users.' }),
  LIVE_STREAM_LIMIT: positive.default(10_000),
  TUNNEL_TOKEN_LIMIT_PER_MINUTE: positive.default(20).meta({
    description:
      'Calls per minute and user that each cause provider calls. An open install dialog makes 20 per minute.',
  }),
  TUNNEL_STATUS_LIMIT_PER_MINUTE: positive.default(40),
  PROXY_HEALTH_LIMIT_PER_MINUTE: positive.default(120),
  MEMBER_INVITATION_LIMIT_PER_HOUR: positive.default(30).meta({
    description: 'Invitations to proxies, per hour and user.',
  }),
  RECREATE_LIMIT_PER_MINUTE: positive.default(5),
  PROVISION_WAIT_MS: positive
    .default(8_000)
    .meta({ description: 'How long a create, edit or recreate waits for the provider, in ms.' }),
  PROVIDER_CALL_LIMIT_PER_5_MINUTES: positive.default(1_100).meta({
    description: 'Provider calls per five minutes, of all workers together. Cloudflare allows 1 200.',
  }),
  PROVIDER_INTERACTIVE_SHARE: z.coerce.number().min(0.1).max(0.9).default(0.4).meta({
    description: 'The share of PROVIDER_CALL_LIMIT_PER_5_MINUTES that is reserved for the interactive lane.',
  }),
  PROVISION_ATTEMPTS: positive.default(8).meta({
    description:
      'How often a job is tried before it becomes a dead letter. An error that a setting causes makes it one at once.',
  }),
  HEALTH_INTERVAL_MS: positive
    .default(30_000)
    .meta({ description: 'How often the worker fetches the health of all tunnels, in ms.' }),
  RESYNC_INTERVAL_MS: positive.default(600_000).meta({
    description:
      'How often the resync looks for leftovers at the provider, and how old a leftover must be before it is removed, in ms.',
  }),
  RESYNC_GRACE_MS: positive.default(900_000),
  RESYNC_MAX_DELETIONS: positive.default(10).meta({
    description:
      'The most tunnels and records that one resync removes. With more leftovers it removes none until an operator confirms.',
  }),
  DNS_SERVERS: nameServers.meta({
    description:
      'IP addresses, each with a port if it is not 53, of the DNS servers that custom domains are checked with, separated by commas. Empty: those of the system.',
  }),
  DOMAIN_CHECK_INTERVAL_MS: positive
    .default(5_000)
    .meta({ description: 'How often it is looked which custom domains are due for a check, in ms.' }),
  SWEEP_INTERVAL_MS: positive
    .default(15_000)
    .meta({ description: 'How often the sweep looks for lagging proxies, in ms.' }),
  STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(1).meta({
    description:
      'The number of NATS servers that keep each stream; applied by the launcher and by `migrate`.',
  }),
  STREAM_WATCH_MS: positive
    .default(15_000)
    .meta({ description: 'How often a service checks whether NATS has lost its streams, in ms.' }),
  SMTP_URL: smtpAddress.optional().meta({
    secret: true,
    description:
      'The mail server: smtp://user:password@host:587 (TLS where it is offered, and always when there is a password) or smtps://user:password@host:465. The server’s certificate must be valid, except on this machine. Without it no emails are sent: administrators hand over links for users from the panel.',
  }),
  MAIL_FROM: mailAddress.optional().meta({
    description:
      'The address that emails come from, such as `Talpa <talpa@example.com>`. Must be given with SMTP_URL. Where it is set, the panel offers what needs email, and owners of proxies can have codes for visitors sent by email.',
  }),
  MAIL_REPLY_TO: mailAddress
    .optional()
    .meta({ description: 'The address that answers to emails go to; MAIL_FROM when left out.' }),
  OUTBOUND_ALLOW: addressRanges.meta({
    description:
      'Ranges of addresses (CIDR), separated by commas, that notification channels may reach although they are not public, also without TLS. Every user can then send requests there.',
  }),
  ALERT_AFTER_SECONDS: positive.default(120).meta({
    description:
      'For how long, in seconds, a connector has to be away, or an admin panel must not respond, before its user is notified; and a fault at the tunnel provider has to last before administrators are.',
  }),
  REQUEST_LOG_DAYS: z.coerce.number().int().min(0).max(365).default(30).meta({
    description:
      'For how many days the log of visitors’ requests is kept at most; a plan may keep it shorter. 0: no request is logged.',
  }),
  FAULT_INJECTION: flag
    .default(false)
    .meta({ description: 'Enables the routes that inject faults. Never set it in production.' }),
  IMPRINT_URL: webAddress.optional().meta({ description: "Links in the panel's footer." }),
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

/** What a setting is, for operators; empty where the one above describes both. */
export const descriptionOf = (name: SettingName): string => knownSettings[name].meta()?.description ?? '';

const known: Readonly<Record<string, z.ZodType>> = knownSettings;

/** Whether this is a setting whose value nobody may see. */
export const isSecret = (name: string): boolean => known[name]?.meta()?.secret === true;

/** Settings as they may be shown: of a secret only that it is set. */
export function printable(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      return [name, isSecret(name) && value !== undefined ? '[set]' : value];
    }),
  );
}
