import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inheritedByStores } from '@talpa/instance/inherited';
import { homeFolders } from '@talpa/instance/paths';
import { readSecrets } from '@talpa/instance/secrets';
import { isSecret, knownSettings } from '@talpa/service-kit/settings';
import { withSettingsFolder } from '@talpa/service-kit/settings-folder';
import { settingsOf } from '@talpa/service-kit/settings-of-service';
import { expect, it } from 'vitest';
import { containerStores } from '../../operator/containers/stores.ts';
import { environments } from './environment.ts';
import { secretsAsFiles } from './secret-files.ts';

const home = mkdtempSync(join(tmpdir(), 'talpa-environment-'));
const secrets = readSecrets(join(home, 'secrets'));
const files = ['EDGE_CA_KEY_FILE', 'EDGE_TLS_KEY', 'TALPA_ADMIN_PASSWORD', 'TALPA_BACKUP_PASSPHRASE'];
const secretNames = [...Object.keys(knownSettings).filter(isSecret), ...files];
/** What an operator may have set, also for other programs: every secret, or one that is inherited would not be seen. */
const outside = {
  ...Object.fromEntries(secretNames.map((name) => [name, `/outside/${name}`])),
  SESSION_KEYS: secrets.sessionKeys,
  PATH: '/bin',
  LANG: 'C.UTF-8',
  LOG_LEVEL: 'debug',
  PGPASSWORD: 'for-another-program',
  AWS_SECRET_ACCESS_KEY: 'for-another-program',
  SIGN_IN_PROVIDERS: '[]',
  SMTP_URL: 'smtps://talpa:postfach@mail.example.org',
  ACME_EAB_KEY: 'of-an-external-account',
  ACME_CLOUDFLARE_TOKEN: 'of-a-zone',
  ACME_RFC2136_URL: 'dns://key:secret@ns1.example.org',
  EDGE_PEER_SECRET: 'edges-among-themselves-and-nobody-else',
};
const environmentsWith = (more: NodeJS.ProcessEnv) =>
  environments({
    outside: { ...outside, ...more },
    secrets,
    stores: containerStores(secrets, {}),
    tunnelDomain: 'tunnel.localhost',
    visitorPort: 8081,
    host: '127.0.0.1',
    panelUrl: 'http://127.0.0.1:8080',
    panel: { shell: '', user: '', admin: '' },
  });
const { service } = environmentsWith({});
const processes = [
  ...(['gateway', 'auth', 'billing', 'proxies', 'stats', 'notifications'] as const),
  ...(['tunnel-worker', 'tunnel-provider', 'edge'] as const),
];
const services = ['auth', 'billing', 'notifications', 'proxies', 'stats', 'tunnel-worker'];

it('each secret reaches the processes that need it, and no other', () => {
  const receivers = secretNames.map((name) => [
    name,
    processes.filter((process) => service(process)[name] !== undefined).toSorted(),
  ]);
  expect(Object.fromEntries(receivers)).toEqual({
    DATABASE_URL: [...services, 'edge', 'tunnel-provider'].toSorted(),
    NATS_URL: [...services, 'edge', 'gateway'].toSorted(),
    REDIS_URL: [...services, 'gateway'].toSorted(),
    SESSION_KEYS: ['auth'],
    SESSION_PUBLIC_KEYS: [...services, 'gateway'].toSorted(),
    TOKEN_KEYS: ['tunnel-provider'],
    FACTOR_KEYS: ['auth'],
    CHANNEL_KEYS: ['notifications'],
    CERTIFICATE_KEYS: ['edge', 'tunnel-provider'],
    ACME_EAB_KEY: ['tunnel-provider'],
    ACME_CLOUDFLARE_TOKEN: ['tunnel-provider'],
    ACME_RFC2136_URL: ['tunnel-provider'],
    CLOUDFLARE_API_TOKEN: ['tunnel-provider', 'tunnel-worker'],
    SIGN_IN_PROVIDERS: ['auth'],
    SMTP_URL: ['notifications'],
    EDGE_PEER_SECRET: ['edge'],
    EDGE_CA_KEY_FILE: ['edge'],
    EDGE_TLS_KEY: ['edge'],
    TALPA_ADMIN_PASSWORD: [],
    TALPA_BACKUP_PASSPHRASE: [],
  });
});

it('several edges get a secret of their own and share the sign-ins; a single one gets neither', () => {
  const edgeOf = (more: NodeJS.ProcessEnv) => {
    const { EDGE_PEER_SECRET: secret, EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: signIns } =
      environmentsWith(more).edge;
    return { secret, signIns };
  };
  const none = { EDGE_PEER_SECRET: '' };
  expect(edgeOf({ ...none, EDGE_PROCESSES: '1' })).toEqual({});
  expect(edgeOf({ ...none, EDGE_PROCESSES: '4' })).toEqual({ secret: secrets.edgePeerSecret, signIns: '2' });
  expect(edgeOf({ EDGE_PROCESSES: '3', EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: '2' })).toEqual({
    secret: outside.EDGE_PEER_SECRET,
    signIns: '1',
  });
});

it('no two processes have the same role, NATS user or Redis user', () => {
  for (const name of ['DATABASE_URL', 'NATS_URL', 'REDIS_URL']) {
    const given = processes.flatMap((process) => service(process)[name] ?? []);
    expect(new Set(given).size).toBe(given.length);
  }
});

it('a process inherits our settings and what Node reads, a store paths and language alone', () => {
  const { LOG_LEVEL, PGPASSWORD, AWS_SECRET_ACCESS_KEY } = service('auth');
  expect({ LOG_LEVEL, PGPASSWORD, AWS_SECRET_ACCESS_KEY }).toEqual({ LOG_LEVEL: 'debug' });
  expect(inheritedByStores(outside)).toEqual({ PATH: '/bin', LANG: 'C.UTF-8' });
});

it('a process reads its secrets from files of its own, which no other user can read', () => {
  const folders = homeFolders(home);
  const given = service('notifications');
  const env = secretsAsFiles(folders, 'notifications', given);
  const folder = join(folders.settings, 'notifications');
  expect(env.SETTINGS_FOLDER).toBe(folder);
  expect(env.SMTP_URL).toBeUndefined();
  expect(readFileSync(join(folder, 'SMTP_URL'), 'utf8')).toBe(`${outside.SMTP_URL}\n`);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
  expect(new Set(modes)).toEqual(new Set([0o400]));
});

it('a service that shares its process gets what it gets in its own, nothing of another one, and secrets by files alone', () => {
  const folders = homeFolders(home);
  const members = processes.filter((name) => name !== 'gateway' && name !== 'edge');
  const env = secretsAsFiles(folders, 'services', environmentsWith({}).together(members));
  for (const name of members) {
    const apart = withSettingsFolder(secretsAsFiles(folders, name, service(name)));
    const together = withSettingsFolder(settingsOf(name, env));
    const folder = join(folders.settings, 'services', name);
    expect(together).toEqual({ ...apart, SETTINGS_FOLDER: folder, DATABASE_CONNECTIONS: '4' });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  }
  const values = Object.values(env).map(String);
  const given = members.flatMap((name) => Object.entries(service(name)));
  const secret = given.filter(([name, value = '']) => isSecret(name) && value && !value.startsWith('/'));
  expect(secret.length).toBeGreaterThan(10);
  expect(secret.filter(([, value = '']) => values.some((one) => one.includes(value)))).toEqual([]);
});
