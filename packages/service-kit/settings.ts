import { factorPolicies } from '@talpa/contracts/factor-policy';
import { registrationModes } from '@talpa/contracts/invitations';
import { planChangePolicies } from '@talpa/contracts/plans';
import { tunnelProviderNames } from '@talpa/contracts/tunnel-providers';
import { z } from 'zod';
import { acmeSettings } from './settings/acme.ts';
import { edgeSettings } from './settings/edge.ts';
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
} from './settings/forms.ts';
import { signInProviders } from './settings/sign-in-providers.ts';
import { withSettingsFolder } from './settings-folder.ts';

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
    description: 'A folder with one file per setting, such as secrets, for what the environment leaves out.',
  }),
  PROCESSES: z.enum(['auto', 'separate', 'grouped']).default('auto').meta({
    description:
      '`npm start`: `separate` runs each service in its own process, `grouped` all but gateway and edge in one, with less than half of the memory; `auto` groups with at most two cores or less than 4 GiB.',
  }),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info').meta({
    description: 'The lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `silent`.',
  }),
  HEALTH_PORT: port.optional().meta({
    description: 'The port of `/livez` and `/readyz`; not of `npm start`.',
  }),
  METRICS_PORT: port.default(0).meta({
    description:
      'The port of `/metrics`, `/livez` and `/readyz`, 0: off; with `npm start` the first of one per process. It has no sign-in: never make it public.',
  }),
  METRICS_HOST: z.string().default('127.0.0.1').meta({ description: 'The address for METRICS_PORT.' }),
  DISK_FOLDERS: z
    .string()
    .regex(/^\/[^,]*(,\/[^,]*)*$/, 'absolute paths, separated by commas')
    .optional()
    .meta({
      description:
        "Folders of the stores' data, separated by commas, whose disks are checked for free space.",
    }),
  DISK_RESERVE: positive.default(500_000_000).meta({
    description: 'Free bytes below which no users and proxies are created.',
  }),
  LOG_SAMPLE: z.coerce.number().min(0).max(1).default(0.01).meta({
    description: 'The share of requests that is logged; slow and failed ones always are.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional().meta({
    description: 'Where traces are sent (OTLP over HTTP). Other OTEL_EXPORTER_OTLP_* work, too.',
  }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .meta({ description: 'The share of requests that is traced.' }),
  DATABASE_URL: secret.meta({
    description:
      'postgres://role:password@host/database; `?host=/folder` selects a unix socket. On your own server the role must be allowed to create roles.',
  }),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).default(8).meta({
    description:
      'The most Postgres connections of a process, at least 2; 4 for each service in a shared process.',
  }),
  NATS_URL: secret.meta({ description: 'nats://user:password@host:port' }),
  REDIS_URL: secret.meta({
    description: 'redis://user:password@host:port, or unix://user:password@localhost/path',
  }),
  STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(1).meta({
    description: 'NATS servers that keep each stream; `npm start` and `migrate` apply it.',
  }),
  STREAM_WATCH_MS: positive
    .default(15_000)
    .meta({ description: 'How often services check whether NATS has lost its streams.' }),
  INSTALLATION_ID: z
    .string()
    .regex(/^[a-z0-9]{4,32}$/)
    .meta({
      description: "Identifies this installation's tunnels at the provider; generated. It must never change.",
    }),
  HOST: z
    .string()
    .default('127.0.0.1')
    .meta({ description: 'Where the panel listens; `npm start` and Compose use port 8080.' }),
  PORT: port.default(0),
  TRUST_PROXY: trustProxy.meta({
    description:
      "The proxies in front that may set the client's address: a hop count or addresses. Let only these reach the port.",
  }),
  PUBLIC_URL: webAddress.optional().meta({
    description:
      "The panel's public address: decides secure cookies, the allowed Origin and links. Passkeys need it, with https and a hostname (or localhost), and end when the hostname changes. Without it visitors of protected proxies, their owners too, cannot sign in with an account.",
  }),
  PANEL_SHELL: z
    .string()
    .meta({ description: 'The files of the three frontends: a folder, or an address that serves them.' }),
  PANEL_USER: z.string(),
  PANEL_ADMIN: z.string(),
  SESSION_KEYS: keyRing.meta({
    description:
      'Sign sessions and assertions. Of all keys: the first signs or encrypts, the others still verify or decrypt; a path is read again when the file changes.',
  }),
  SESSION_PUBLIC_KEYS: keyRing.meta({
    description: 'Their public halves; derived when left out.',
  }),
  TOKEN_KEYS: keyRing.meta({
    description: 'Encrypt tunnel tokens.',
  }),
  FACTOR_KEYS: keyRing.meta({
    description: 'Encrypt the secrets of authenticator apps.',
  }),
  CHANNEL_KEYS: keyRing.meta({
    description: 'Encrypt the addresses and secrets of notification channels.',
  }),
  TUNNEL_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/)
    .meta({ description: "The domain of all subdomains. Use another registrable domain than the panel's." }),
  TUNNEL_PUBLIC_PORT: port.meta({
    description: "The subdomains' public port. Left out: PORT + 1, with ACME_EMAIL 443.",
  }),
  ...acmeSettings,
  ...edgeSettings,
  RESERVED_NAMES: reservedNames.meta({
    description:
      'More reserved subdomains and user names, separated by commas: `name`, `name-*` (begin with it), `*name*` (contain it between hyphens).',
  }),
  HASH_CONCURRENCY: positive
    .default(2)
    .meta({ description: 'Password hashes computed concurrently: one per core.' }),
  SIGN_IN_LIMIT_PER_MINUTE: positive.default(10).meta({
    description:
      'Wrong passwords, reset links and invitation codes, each per address; and wrong passwords per user where a signed-in user confirms theirs.',
  }),
  SIGN_IN_NAME_LIMIT_PER_MINUTE: positive.default(50).meta({
    description: 'Wrong passwords for one name, from all addresses that have not signed in to it.',
  }),
  WRONG_CODE_LIMIT_PER_QUARTER_HOUR: positive.default(10).meta({
    description:
      'Wrong codes of a second factor: from each browser that has signed in before, and from all others together.',
  }),
  REGISTRATION: z.enum(registrationModes).default('open').meta({
    description: 'Who may register: `open` (everyone), `invite` (with an invitation), `closed` (no one).',
  }),
  PLAN_CHANGES: z.enum(planChangePolicies).default('self').meta({
    description:
      'Who changes the plan of a user: `self` (the users themselves; payment is a demo, so everyone can take every plan for nothing), `administrators`.',
  }),
  EMAIL_REQUIRED: flag.default(false).meta({
    description:
      '`true`: registering takes an email address; creating proxies and changing the plan take a verified one.',
  }),
  SECOND_FACTOR: z.enum(factorPolicies).default('optional').meta({
    description: 'Who must set up a second factor: `optional` (no one), `administrators`, `everyone`.',
  }),
  SIGN_IN_PROVIDERS: signInProviders.meta({
    secret: true,
    description:
      'Providers whose accounts users may sign in with ([sign-in-providers.md](sign-in-providers.md)); needs PUBLIC_URL.',
  }),
  REGISTER_LIMIT_PER_MINUTE: positive
    .default(10)
    .meta({ description: 'Registrations per address and per name.' }),
  REGISTRATION_PROOF_AFTER: z.coerce.number().int().min(0).default(10).meta({
    description:
      'Registrations from one network (IPv4 /24, IPv6 /48) in an hour, after which each takes a proof of work from the browser.',
  }),
  REGISTRATION_PROOF_BITS: z.coerce.number().int().min(1).max(24).default(18).meta({
    description:
      'How hard the proof is: each bit doubles it; at 18 a desktop browser computes for half a second.',
  }),
  PASSWORD_RESET_LIMIT_PER_HOUR: positive.default(10).meta({
    description: 'Reset links requested by email, per address. An account gets three.',
  }),
  REQUEST_LIMIT_PER_MINUTE: positive.default(600).meta({
    description: 'Requests to a gateway, per user (or address before sign-in).',
  }),
  MUTATION_LIMIT_PER_MINUTE: positive.default(120).meta({
    description: 'Changing requests to all gateways, per user (or address before sign-in).',
  }),
  SUBDOMAIN_CHECK_LIMIT_PER_MINUTE: positive.default(60).meta({
    description: 'Availability checks of subdomains, per user.',
  }),
  ADDRESS_CONNECTION_LIMIT: positive.default(1_000).meta({
    description:
      'Open connections to a gateway per address, except of TRUST_PROXY. Behind another proxy all users share one address.',
  }),
  CONNECTION_LIMIT: positive.default(16_000).meta({
    description:
      'Open connections to a gateway, at most `ulimit -n` less 512. One more closes the one idle longest. Live streams take at most nine tenths.',
  }),
  LIVE_USER_STREAM_LIMIT: positive
    .default(20)
    .meta({ description: 'Open live streams per gateway: of one user, and of all users.' }),
  LIVE_STREAM_LIMIT: positive.default(10_000),
  TUNNEL_TOKEN_LIMIT_PER_MINUTE: positive.default(20).meta({
    description: 'Calls per user that cause provider calls. An open install dialog makes 20 per minute.',
  }),
  TUNNEL_STATUS_LIMIT_PER_MINUTE: positive.default(40),
  PROXY_HEALTH_LIMIT_PER_MINUTE: positive.default(120),
  RECREATE_LIMIT_PER_MINUTE: positive.default(5),
  MEMBER_INVITATION_LIMIT_PER_HOUR: positive.default(30).meta({
    description: 'Invitations to proxies, per user.',
  }),
  TUNNEL_PROVIDER: z
    .enum(tunnelProviderNames)
    .default('embedded')
    .meta({ description: '`embedded`, or `cloudflare` ([cloudflare.md](cloudflare.md)).' }),
  CLOUDFLARE_BASE_URL: webAddress.default('https://api.cloudflare.com/client/v4').meta({
    description: "Cloudflare's API and its credentials.",
  }),
  CLOUDFLARE_API_TOKEN: secret,
  CLOUDFLARE_ACCOUNT_ID: z.string().min(1),
  CLOUDFLARE_ZONE_ID: z.string().min(1),
  PROVISION_WAIT_MS: positive
    .default(8_000)
    .meta({ description: 'How long a create, edit or recreate waits for the provider.' }),
  PROVIDER_CALL_LIMIT_PER_5_MINUTES: positive.default(1_100).meta({
    description:
      'Provider calls of all workers together: Cloudflare allows 1 200. With the embedded provider 60 000 when left out.',
  }),
  PROVIDER_INTERACTIVE_SHARE: z.coerce.number().min(0.1).max(0.9).default(0.4).meta({
    description: 'The share of them that is reserved for the interactive lane.',
  }),
  PROVISION_ATTEMPTS: positive.default(8).meta({
    description:
      'Tries before a job becomes a dead letter; an error that a setting causes makes it one immediately.',
  }),
  HEALTH_INTERVAL_MS: positive
    .default(30_000)
    .meta({ description: 'How often the worker fetches the health of all tunnels.' }),
  RESYNC_INTERVAL_MS: positive.default(600_000).meta({
    description: 'How often the resync looks for leftovers, and how old one must be before it is removed.',
  }),
  RESYNC_GRACE_MS: positive.default(900_000),
  RESYNC_MAX_DELETIONS: positive.default(10).meta({
    description:
      'The most leftovers that one resync removes. With more it removes none until an operator confirms.',
  }),
  DNS_SERVERS: nameServers.meta({
    description:
      'DNS servers that check custom domains: IP addresses, with ports other than 53, separated by commas. Left out: those of the system.',
  }),
  DOMAIN_CHECK_INTERVAL_MS: positive
    .default(5_000)
    .meta({ description: 'How often Talpa looks for domains that are due for a check.' }),
  SWEEP_INTERVAL_MS: positive
    .default(15_000)
    .meta({ description: 'How often the sweep looks for lagging proxies.' }),
  SMTP_URL: smtpAddress.optional().meta({
    secret: true,
    description:
      'The mail server: smtp://user:password@host:587 (TLS if offered, and always with a password) or smtps://user:password@host:465. Its certificate must be valid, except on this machine. Without it administrators hand over links for users from the panel.',
  }),
  MAIL_FROM: mailAddress.optional().meta({
    description:
      'The sender of emails, such as `Talpa <talpa@example.com>`; SMTP_URL needs it. With it the panel offers what needs email, also codes for visitors.',
  }),
  MAIL_REPLY_TO: mailAddress.optional().meta({ description: 'Where answers to emails go.' }),
  OUTBOUND_ALLOW: addressRanges.meta({
    description:
      'Ranges (CIDR), separated by commas, that notification channels may reach although they are not public, also without TLS. Every user can send requests there.',
  }),
  TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'not a time zone')
    .default('Europe/Berlin')
    .meta({ description: 'The time zone of days in traffic figures: an IANA name.' }),
  ALERT_AFTER_SECONDS: positive.default(120).meta({
    description:
      'How long a connector or admin panel must be away before its user is notified, and a fault at the provider must last before administrators are.',
  }),
  REQUEST_LOG_DAYS: z.coerce.number().int().min(0).max(365).default(30).meta({
    description:
      "Days for which visitors' requests are logged at most; plans may say less. 0: none is logged.",
  }),
  SHOW_TOTALS: flag.default(true).meta({
    description: '`false`: users see neither how many users nor how many proxies the installation has.',
  }),
  FAULT_INJECTION: flag
    .default(false)
    .meta({ description: 'Enables routes that inject faults: never in production.' }),
  IMPRINT_URL: webAddress.optional().meta({ description: "Links in the panel's footer." }),
  PRIVACY_URL: webAddress.optional(),
  TERMS_URL: webAddress.optional().meta({ description: 'More links in the footer.' }),
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
