import { type ServiceName, serviceNames } from '@talpa/contracts';
import { inheritedByProcesses } from '@talpa/instance/inherited';
import { publicRing, readRing, ringOf, ringText, writeRing } from '@talpa/instance/keys';
import { edgeNames, type ProcessName } from '@talpa/instance/ports.mjs';
import type { Secrets } from '@talpa/instance/secrets';
import { roleUrl, schemaOf } from '@talpa/service-kit/database/setup';
import { readSettings } from '@talpa/service-kit/settings';
import { settingIn } from '@talpa/service-kit/settings-of-service';
import type { Panel } from '../build.ts';
import type { Stores } from '../stores/stores.ts';
import { providerSettings } from './provider.ts';

/** Settings that only some processes may see; the others do not even inherit them. */
const restricted = [
  'SETTINGS_FOLDER',
  'DATABASE_URL',
  'NATS_URL',
  'REDIS_URL',
  'SESSION_KEYS',
  'SESSION_PUBLIC_KEYS',
  'TOKEN_KEYS',
  'FACTOR_KEYS',
  'CHANNEL_KEYS',
  'CERTIFICATE_KEYS',
  'ACME_EAB_KEY',
  'ACME_CLOUDFLARE_TOKEN',
  'ACME_RFC2136_URL',
  'EDGE_PEER_SECRET',
  'EDGE_CA_KEY_FILE',
  'EDGE_TLS_CERT',
  'EDGE_TLS_KEY',
  'SMTP_URL',
  'SIGN_IN_PROVIDERS',
  'TALPA_ADMIN_PASSWORD',
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_ACCOUNT_ID',
  'CLOUDFLARE_ZONE_ID',
  'CLOUDFLARE_BASE_URL',
  'TALPA_BACKUP_PASSPHRASE',
];

/** Our processes. All but the provider's API are on the bus, under these names. */

export interface InstanceFacts {
  /** What the person who starts Talpa has set. */
  readonly outside: NodeJS.ProcessEnv;
  readonly secrets: Secrets;
  readonly stores: Stores;
  readonly tunnelDomain: string;
  /** Where our own stores keep their data. */
  readonly diskFolders?: readonly string[];
  /** The port visitors use for the subdomains, where TUNNEL_PUBLIC_PORT says nothing. */
  readonly visitorPort: number;
}

/** What each process receives by name: its own role, its own bus user, and the keys it works with. */
export function settingsByProcess(facts: InstanceFacts): Record<ProcessName, Record<string, string>> {
  const { outside, secrets, stores } = facts;
  const provider = providerSettings(outside, secrets);
  const common = {
    INSTALLATION_ID: secrets.installationId,
    TUNNEL_DOMAIN: facts.tunnelDomain,
    ...(facts.diskFolders ? { DISK_FOLDERS: outside.DISK_FOLDERS || facts.diskFolders.join(',') } : {}),
    TUNNEL_PUBLIC_PORT: outside.TUNNEL_PUBLIC_PORT ?? String(facts.visitorPort),
  };
  const publicKeys = { SESSION_PUBLIC_KEYS: sessionPublicKeys(outside, secrets) };
  const database = (name: ServiceName | 'tunnel-provider' | 'edge') => {
    const role = `${schemaOf(name)}_app`;
    return { DATABASE_URL: roleUrl(stores.adminUrl, role, secrets.storePassword(role)) };
  };
  const service = (name: ServiceName) => ({
    ...common,
    ...publicKeys,
    ...database(name),
    NATS_URL: stores.natsUrl(name),
    REDIS_URL: stores.redisUrl(name),
  });
  const services = Object.fromEntries(serviceNames.map((name) => [name, service(name)])) as Record<
    ServiceName,
    ReturnType<typeof service>
  >;
  return {
    ...services,
    auth: {
      ...services.auth,
      SESSION_KEYS: outside.SESSION_KEYS ?? secrets.sessionKeys,
      FACTOR_KEYS: outside.FACTOR_KEYS ?? secrets.factorKeys,
      ...(outside.SIGN_IN_PROVIDERS ? { SIGN_IN_PROVIDERS: outside.SIGN_IN_PROVIDERS } : {}),
    },
    notifications: {
      ...services.notifications,
      CHANNEL_KEYS: outside.CHANNEL_KEYS ?? secrets.channelKeys,
      ...(outside.SMTP_URL ? { SMTP_URL: outside.SMTP_URL } : {}),
    },
    'tunnel-worker': { ...services['tunnel-worker'], ...provider.env },
    'tunnel-provider': {
      ...common,
      ...database('tunnel-provider'),
      ...provider.env,
      ...(provider.embedded ? providerSecrets(facts) : {}),
    },
    edge: {
      ...common,
      ...database('edge'),
      NATS_URL: stores.natsUrl('edge'),
      ...(provider.embedded ? edgeSecrets(facts) : {}),
    },
    gateway: {
      ...common,
      ...publicKeys,
      NATS_URL: stores.natsUrl('gateway'),
      REDIS_URL: stores.redisUrl('gateway'),
    },
  };
}

/** The public halves of the session keys in use: of those that were set from outside too. */
function sessionPublicKeys({ SESSION_KEYS: given }: NodeJS.ProcessEnv, secrets: Secrets): string {
  if (!given) return secrets.sessionPublicKeys;
  if (!given.startsWith('/')) return ringText(publicRing(ringOf(given)));
  writeRing(secrets.sessionPublicKeys, publicRing(readRing(given)));
  return secrets.sessionPublicKeys;
}

function providerSecrets({ outside, secrets }: InstanceFacts) {
  return {
    TOKEN_KEYS: outside.TOKEN_KEYS ?? secrets.tokenKeys,
    CERTIFICATE_KEYS: outside.CERTIFICATE_KEYS ?? secrets.certificateKeys,
    ...given(outside, 'ACME_EAB_KEY', 'ACME_CLOUDFLARE_TOKEN', 'ACME_RFC2136_URL'),
  };
}

function edgeSecrets({ outside, secrets }: InstanceFacts) {
  return {
    CERTIFICATE_KEYS: outside.CERTIFICATE_KEYS ?? secrets.certificateKeys,
    EDGE_CA_FILE: outside.EDGE_CA_FILE ?? secrets.edgeAuthority.certificate,
    EDGE_CA_KEY_FILE: outside.EDGE_CA_KEY_FILE ?? secrets.edgeAuthority.key,
    ...given(outside, 'EDGE_PEER_SECRET', 'EDGE_TLS_CERT', 'EDGE_TLS_KEY'),
  };
}

const given = (outside: NodeJS.ProcessEnv, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (outside[name] ? [[name, outside[name]]] : [])));

/**
 * What the edge processes of one machine receive: they forward to each other, and share the visitors' sign-ins, because
 * panels lock all users out after few of them (record 14).
 */
function edgesTogether(outside: NodeJS.ProcessEnv, { edgePeerSecret }: Secrets) {
  const { length: count } = edgeNames(outside);
  if (count === 1) return {};
  const { EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: signIns } = readSettings(
    ['EDGE_SIGN_IN_LIMIT_PER_15_MINUTES'],
    outside,
  );
  return {
    EDGE_PEER_SECRET: outside.EDGE_PEER_SECRET || edgePeerSecret,
    EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: String(Math.max(1, Math.floor(signIns / count))),
  };
}

interface MachineFacts extends InstanceFacts {
  readonly host: string;
  readonly panel: Panel;
  /** Where the edge reaches the gateway. */
  readonly panelUrl: string;
}

export type Environments = ReturnType<typeof environments>;

/** Each process's environment on this machine: what all processes may know, and its own settings. */
export function environments(facts: MachineFacts) {
  const { outside, secrets, host, panel, panelUrl } = facts;
  const open = Object.fromEntries(
    Object.entries(inheritedByProcesses(outside)).filter(([name]) => !restricted.includes(name)),
  );
  const own = settingsByProcess(facts);
  const ownOf = (name: ProcessName) => ({ ...own[name], HOST: '127.0.0.1', PORT: '0' });
  const environment = (name: ProcessName): NodeJS.ProcessEnv => ({ ...open, ...ownOf(name) });
  return {
    service: environment,
    /** Of a process that services share: each service's settings bear its name. */
    together: (names: readonly ProcessName[]): NodeJS.ProcessEnv => ({
      ...open,
      // Enough for what two cores can do; each connection takes 3 MB.
      DATABASE_CONNECTIONS: outside.DATABASE_CONNECTIONS || '4',
      ...Object.fromEntries(
        names.flatMap((name) =>
          Object.entries(ownOf(name)).map(([setting, value]) => [settingIn(name, setting), value]),
        ),
      ),
    }),
    edge: {
      ...environment('edge'),
      // The edge listens where the panel does.
      EDGE_HOST: outside.EDGE_HOST ?? host,
      EDGE_CONNECTOR_HOST: outside.EDGE_CONNECTOR_HOST ?? host,
      EDGE_PANEL_URL: outside.EDGE_PANEL_URL || panelUrl,
      ...edgesTogether(outside, secrets),
    },
    gateway: {
      ...environment('gateway'),
      PANEL_SHELL: panel.shell,
      PANEL_USER: panel.user,
      PANEL_ADMIN: panel.admin,
    },
  };
}
