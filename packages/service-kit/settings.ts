import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true');
const keyRing = z
  .string()
  .regex(/^(\/.+|[\w-]+:[\w-]{43,}(,[\w-]+:[\w-]{43,})*)$/, 'kid:base64url[,kid:base64url] or a path')
  .describe('secret');
const secret = z.string().min(1).describe('secret');
const positive = z.coerce.number().int().positive();

/**
 * Every setting of every process, in one place: name, form, default. A process picks the ones it needs.
 * Values described as `secret` are never printed.
 */
export const knownSettings = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Where this process answers `/livez` and `/readyz`; nowhere when left out. */
  HEALTH_PORT: port.optional(),
  /** postgres://role:password@host/database; `?host=/folder` names a unix socket's folder. */
  DATABASE_URL: secret,
  DATABASE_CONNECTIONS: positive.default(8),
  /** nats://user:password@host:port */
  NATS_URL: secret,
  /** redis://… or unix:///path */
  REDIS_URL: secret,
  /** Names this installation at the tunnel provider; must never change. */
  INSTALLATION_ID: z.string().regex(/^[a-z0-9]{4,32}$/),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(0),
  /** Which proxies in front may name the visitor's address: a hop count or a list of addresses. */
  TRUST_PROXY: z.string().default(''),
  /** The panel's own address when it lies behind a proxy; decides cookies and the allowed Origin. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  PANEL_SHELL: z.string(),
  PANEL_USER: z.string(),
  PANEL_ADMIN: z.string(),
  SESSION_KEYS: keyRing,
  TOKEN_KEYS: keyRing,
  TUNNEL_DOMAIN: z.string().regex(/^[a-z0-9.-]+$/),
  /** The port visitors use for the subdomains. */
  TUNNEL_PUBLIC_PORT: port,
  TUNNEL_PROVIDER: z.enum(['embedded', 'cloudflare']).default('embedded'),
  CLOUDFLARE_BASE_URL: z.url().default('https://api.cloudflare.com/client/v4'),
  CLOUDFLARE_API_TOKEN: secret,
  CLOUDFLARE_ACCOUNT_ID: z.string().min(1),
  CLOUDFLARE_ZONE_ID: z.string().min(1),
  /** Password hashes computed at once; one per core is right. */
  HASH_CONCURRENCY: positive.default(2),
  /** Wrong passwords a minute: per address, and per user for those who give their own once more. */
  SIGN_IN_LIMIT: positive.default(10),
  /** Wrong passwords a minute for one name, from all addresses together that never signed in to it. */
  SIGN_IN_NAME_LIMIT: positive.default(50),
  /** Registrations a minute, per address and per name. */
  REGISTER_LIMIT: positive.default(10),
  /** Requests a minute, per user (or address before signing in). */
  REQUEST_LIMIT: positive.default(600),
  /** Changes among them, counted for all gateways together. */
  MUTATION_LIMIT: positive.default(120),
  /** How long a create, edit or recreate waits for the provider, in ms. */
  PROVISION_WAIT_MS: positive.default(8_000),
  /** How often a provider call that may still succeed is tried before it is parked. */
  PROVISION_ATTEMPTS: positive.default(8),
  /** Where connectors reach our edge, `host:port`; stands in the install instructions. */
  EDGE_ADDRESS: z
    .string()
    .regex(/^[\w.:[\]-]+:\d+$/, 'host:port')
    .optional(),
  /** The certificate authority connectors must trust to use our edge, as PEM. */
  EDGE_CA_FILE: z.string().optional(),
  /** How often lagging proxies are looked for, in ms. */
  SWEEP_INTERVAL_MS: positive.default(15_000),
  /** Opens the switches for faults and for playing a connector. Never in production. */
  TALPA_TEST_SWITCHES: flag.default(false),
  IMPRINT_URL: z.url().optional(),
  PRIVACY_URL: z.url().optional(),
  TERMS_URL: z.url().optional(),
  SUPPORT_URL: z.url().optional(),
} as const satisfies Record<string, z.ZodType>;

type Known = typeof knownSettings;
export type SettingName = keyof Known;
export type Settings<N extends SettingName> = { readonly [K in N]: z.output<Known[K]> };

/**
 * Reads and checks the named settings from the environment.
 * @throws Error naming every missing or malformed setting, without its value.
 */
export function readSettings<const N extends SettingName>(
  names: readonly N[],
  environment: NodeJS.ProcessEnv = process.env,
): Settings<N> {
  const problems: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of names) {
    const result = knownSettings[name].safeParse(environment[name] || undefined);
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
