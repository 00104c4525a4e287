import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '@talpa/instance/cli';
import { handOutFile, handOutFolder, handOutSettings } from '@talpa/instance/containers';
import { root } from '@talpa/instance/paths';
import { withPublicDefaults } from '@talpa/instance/public.mjs';
import type { Secrets } from '@talpa/instance/secrets';
import { isSecret, knownSettings } from '@talpa/service-kit/settings';
import { defaultTunnelDomain } from '@talpa/service-kit/settings/edge-address';
import { refuseWrongSettings } from '../../launcher/outside-settings.ts';
import { edgeSettingsOfGateway } from '../../launcher/processes/edge.ts';
import { settingsByProcess } from '../../launcher/processes/environment.ts';
import { providerSettings } from '../../launcher/processes/provider.ts';
import { natsConfig, natsUsersConfig } from '../../launcher/stores/nats-config.ts';
import { redisConfig } from '../../launcher/stores/redis.ts';
import type { Stores } from '../../launcher/stores/stores.ts';
import { containerStores, postgresPassword } from '../containers/stores.ts';
import { command } from './command.ts';

/** The ports inside the containers where nothing is set; docker-compose.yml publishes the same. */
const ports = { visitors: 8081, connectors: 7844, providerApi: 8090 } as const;

/**
 * The first of the containers' jobs: makes the secrets, and gives every container its own in a folder of its own.
 * Needs no server. Safe to run twice.
 */
export const prepare = command({
  usage: 'prepare',
  summary: 'for containers: generate the keys and passwords, and give each container its own',
  makesInstance: true,
  run: async ({ instance, log }) => {
    const base = handOutFolder(process.env);
    refuseSecretsInEnvironment();
    refuseWrongSettings(process.env);
    const secrets = instance.secrets();
    const outside = withPublicDefaults(process.env);
    const stores = containerStores(secrets, process.env);
    const tunnelDomain = process.env.TUNNEL_DOMAIN ?? defaultTunnelDomain;
    const { embedded } = providerSettings(process.env, secrets);
    const { edgeAuthority } = secrets;
    if (embedded) await makeAuthority(edgeAuthority);
    const own = settingsByProcess({
      outside,
      secrets,
      stores,
      tunnelDomain,
      visitorPort: ports.visitors,
    });
    const edge = {
      connectorPort: Number(process.env.EDGE_CONNECTOR_PORT ?? ports.connectors),
      authorityFile: edgeAuthority.certificate,
    };
    const added: Partial<Record<keyof typeof own, Record<string, string>>> = embedded
      ? {
          gateway: edgeSettingsOfGateway(edge, tunnelDomain, process.env),
          'tunnel-worker': { CLOUDFLARE_BASE_URL: `http://tunnel-provider:${ports.providerApi}/client/v4` },
        }
      : {};
    for (const name of Object.keys(own) as (keyof typeof own)[])
      handOutSettings(join(base, name), { ...own[name], ...added[name] });
    handOutOperators(instance.folders.home, stores);
    handOutStores(base, secrets);
    log('All containers have their settings.');
  },
});

/** The edge would make it itself, but may not write to its settings, and gateways show its certificate. */
async function makeAuthority({ certificate, key }: Secrets['edgeAuthority']): Promise<void> {
  const { readAuthority } = await import('../../services/edge/connectors/authority.ts');
  await readAuthority(certificate, key);
}

/** What the operator's commands and the first administrator's job work with, in the home beside the secrets. */
function handOutOperators(home: string, stores: Stores): void {
  const { TALPA_ADMIN_PASSWORD: password } = process.env;
  const operator = { DATABASE_URL: stores.adminUrl, NATS_URL: stores.natsUrl('operator') };
  const firstAdmin = { ...operator, ...(password ? { TALPA_ADMIN_PASSWORD: password } : {}) };
  for (const [name, settings] of Object.entries({ operator, 'first-admin': firstAdmin })) {
    const folder = join(home, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    handOutSettings(folder, settings);
  }
}

/** What the stores start with, each in its folder. */
function handOutStores(base: string, secrets: Secrets): void {
  // Read by the image's own user, whose id differs by image; the folder belongs to that user alone.
  handOutFile(join(base, 'postgres', 'password'), postgresPassword(secrets), 0o444);
  handOutFile(join(base, 'redis', 'redis.conf'), redisConfig(secrets, { 'protected-mode': 'no' }));
  const nats = natsConfig('/nats', secrets, { listen: '0.0.0.0:4222', http: '0.0.0.0:8222' });
  handOutFile(join(base, 'nats', 'nats.conf'), nats);
  // For a cluster that others configure: Kubernetes.
  handOutFile(join(base, 'nats', 'users.conf'), natsUsersConfig(secrets));
  // Their images lack it. A file of the clone would lie elsewhere in the next clone, and an upgrade would replace the stores.
  const killSilent = readFileSync(join(root, 'deploy/images/kill-silent'), 'utf8');
  for (const store of ['postgres', 'redis', 'nats'])
    handOutFile(join(base, store, 'kill-silent'), killSilent, 0o555);
}

/** Every user who may inspect a container sees its environment, and `.env` reaches all of them. */
function refuseSecretsInEnvironment(): void {
  const secretNames = Object.keys(knownSettings).filter(isSecret);
  const found = [...secretNames, 'TALPA_ADMIN_PASSWORD'].filter((name) => givenByEnvironment.has(name));
  if (found.length > 0)
    throw new CliError(
      `${found.join(', ')}: secrets do not belong in .env. Put each into a file of that name in deploy/compose/secrets.`,
    );
}

/** As it was before SETTINGS_FOLDER's files joined it. */
const givenByEnvironment = new Set(
  Object.entries(process.env).flatMap(([name, value]) => (value ? [name] : [])),
);
