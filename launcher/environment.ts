import type { BusUser } from '@talpa/service-kit/bus/permissions';
import { roleUrl } from '@talpa/service-kit/database/setup';
import type { Panel } from './build.ts';
import type { Secrets } from './secrets.ts';
import type { Stores } from './stores/stores.ts';

/** Settings that only some processes may see; the others do not even inherit them. */
const restricted = [
  'DATABASE_URL',
  'NATS_URL',
  'SESSION_KEYS',
  'TOKEN_KEYS',
  'EDGE_PEER_SECRET',
  'EDGE_CA_KEY_FILE',
  'TALPA_ADMIN_PASSWORD',
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_ACCOUNT_ID',
  'CLOUDFLARE_ZONE_ID',
  'CLOUDFLARE_BASE_URL',
  // npm's own, which may hold a registry's password.
  ...Object.keys(process.env).filter((name) => /^npm_/i.test(name)),
];

export interface EnvironmentInput {
  /** What the person who starts Talpa has set. */
  readonly outside: NodeJS.ProcessEnv;
  readonly secrets: Secrets;
  readonly stores: Stores;
  readonly panel: Panel;
  readonly tunnelDomain: string;
  readonly host: string;
  readonly port: number;
}

/** What each process gets to know: its own role, its own bus user, and the keys it works with. */
export function environments(input: EnvironmentInput) {
  const { outside, secrets, stores, panel } = input;
  const open = Object.entries(outside).filter(([name]) => !restricted.includes(name));
  const common: NodeJS.ProcessEnv = {
    ...Object.fromEntries(open),
    REDIS_URL: stores.redisUrl,
    INSTALLATION_ID: outside.INSTALLATION_ID ?? secrets.installationId,
    TUNNEL_DOMAIN: input.tunnelDomain,
    // Visitors reach the subdomains beside the panel.
    TUNNEL_PUBLIC_PORT: outside.TUNNEL_PUBLIC_PORT ?? String(input.port + 1),
    HOST: '127.0.0.1',
    PORT: '0',
  };
  const sessionKeys = { SESSION_KEYS: outside.SESSION_KEYS ?? secrets.sessionKeys };
  const database = (schema: string) => ({
    DATABASE_URL: roleUrl(stores.adminUrl, `${schema}_app`, secrets.storePassword(`${schema}_app`)),
  });
  const service = (name: BusUser) => ({ ...common, ...database(name), NATS_URL: stores.natsUrl(name) });
  return {
    service,
    auth: { ...service('auth'), ...sessionKeys },
    provider: {
      ...service('provider'),
      // The edge listens where the panel does.
      EDGE_HOST: outside.EDGE_HOST ?? input.host,
      EDGE_CONNECTOR_HOST: outside.EDGE_CONNECTOR_HOST ?? input.host,
      TOKEN_KEYS: outside.TOKEN_KEYS ?? secrets.tokenKeys,
      EDGE_CA_FILE: outside.EDGE_CA_FILE ?? secrets.edgeAuthority.certificate,
      EDGE_CA_KEY_FILE: outside.EDGE_CA_KEY_FILE ?? secrets.edgeAuthority.key,
      ...(outside.EDGE_PEER_SECRET ? { EDGE_PEER_SECRET: outside.EDGE_PEER_SECRET } : {}),
    },
    gateway: {
      ...common,
      ...sessionKeys,
      NATS_URL: stores.natsUrl('gateway'),
      PANEL_SHELL: panel.shell,
      PANEL_USER: panel.user,
      PANEL_ADMIN: panel.admin,
    },
  };
}
