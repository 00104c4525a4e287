import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKeyRing } from '@talpa/service-kit/key-ring';
import { knownSettings } from '@talpa/service-kit/settings';
import { CliError } from './cli.ts';
import { makeKey, publicRing, readRing, ringText, writeRing } from './keys.ts';
import { makeFolder } from './make-folder.ts';

/** What an instance keeps to itself, in files that only its owner can read. */
export interface Secrets {
  /** The files of the key rings, `kid:base64url[,…]`. */
  readonly sessionKeys: string;
  /** The public halves of the session keys. */
  readonly sessionPublicKeys: string;
  readonly tokenKeys: string;
  readonly factorKeys: string;
  readonly channelKeys: string;
  readonly certificateKeys: string;
  /** The token the embedded provider's API accepts. */
  readonly providerToken: string;
  /** By which the edge processes of this machine know each other. */
  readonly edgePeerSecret: string;
  /** Names this installation at the provider; not secret, but it must never change. */
  readonly installationId: string;
  /** The files of the edge's authority; the edge makes them itself. */
  readonly edgeAuthority: { readonly certificate: string; readonly key: string };
  /** The password of a role in one of our own stores. */
  storePassword(role: string): string;
}

/** The files of keys that a backup may hold, by name: what they protect is lost without them. */
export const keyFiles = ({
  sessionKeys,
  tokenKeys,
  factorKeys,
  channelKeys,
  certificateKeys,
  edgeAuthority,
}: Secrets) =>
  [
    ['session-keys', sessionKeys],
    ['token-keys', tokenKeys],
    ['factor-keys', factorKeys],
    ['channel-keys', channelKeys],
    ['certificate-keys', certificateKeys],
    ['edge-ca.pem', edgeAuthority.certificate],
    ['edge-ca.key', edgeAuthority.key],
  ] as const;

const installationFile = 'installation-id';

/** Closed to others, but not the home around it: the stores' users have to enter that. */
const makeSecretsFolder = (folder: string) => makeFolder(folder, 0o700);

/** Makes an instance go on as another installation: its tunnels at the provider have that one's name. */
export function setInstallationId(folder: string, installationId: string): void {
  makeSecretsFolder(folder);
  writeFileSync(join(folder, installationFile), `${installationId}\n`, { mode: 0o600, flush: true });
}

/**
 * Reads the secrets in a folder, making those that are missing. One launcher at a time: see claimHome.
 * @param givenId INSTALLATION_ID, where it is set: a new home's name from then on
 * @throws CliError for an empty or damaged file (what it protected would be lost or open), and for another home's name
 */
export function readSecrets(folder: string, givenId?: string): Secrets {
  makeSecretsFolder(folder);
  const fileOf = (name: string, make: () => string): string => {
    const path = join(folder, name);
    if (!existsSync(path)) {
      writeFileSync(`${path}.new`, `${make()}\n`, { mode: 0o600, flush: true });
      renameSync(`${path}.new`, path);
    }
    if (readFileSync(path, 'utf8').trim() === '')
      throw new CliError(`${path} is empty. Restore it from a backup.`);
    return path;
  };
  const keep = (name: string, make: () => string, isWhole: (text: string) => boolean): string => {
    const path = fileOf(name, make);
    const text = readFileSync(path, 'utf8').trim();
    if (!isWhole(text)) throw damaged(path);
    return text;
  };
  const key = () => randomBytes(32).toString('base64url');
  const isKey = (text: string) => /^[\x21-\x7e]{16,}$/.test(text);
  const ringFile = (name: string): string => {
    const path = fileOf(name, () => ringText([makeKey()]));
    if (!isRing(path)) throw damaged(path);
    return path;
  };
  const sessionKeys = ringFile('session-keys');
  const sessionPublicKeys = join(folder, 'session-public-keys');
  writeRing(sessionPublicKeys, publicRing(readRing(sessionKeys)));
  const storeSeed = keep('store-seed', key, isKey);
  const installationId = keep(
    installationFile,
    () => givenId || randomBytes(5).toString('hex'),
    (text) => knownSettings.INSTALLATION_ID.safeParse(text).success,
  );
  if (givenId && givenId !== installationId)
    throw new CliError(
      `INSTALLATION_ID is “${givenId}”, but this installation is “${installationId}” (${join(folder, installationFile)}), ` +
        'and its tunnels at the provider have that name. Leave INSTALLATION_ID out. ' +
        'If the tunnels have the other name, put that name into the file.',
    );
  return {
    sessionKeys,
    sessionPublicKeys,
    tokenKeys: ringFile('token-keys'),
    factorKeys: ringFile('factor-keys'),
    channelKeys: ringFile('channel-keys'),
    certificateKeys: ringFile('certificate-keys'),
    providerToken: keep('provider-token', key, isKey),
    edgePeerSecret: keep('edge-peer-secret', key, (text) => isKey(text) && text.length >= 32),
    installationId,
    edgeAuthority: { certificate: join(folder, 'edge-ca.pem'), key: join(folder, 'edge-ca.key') },
    storePassword: (role) => createHmac('sha256', storeSeed).update(role).digest('base64url'),
  };
}

const damaged = (path: string) =>
  new CliError(
    `${path} is damaged: it does not hold what belongs there. Restore this file from a backup; do not delete it, ` +
      'because what it protects would be lost.',
  );

function isRing(path: string): boolean {
  try {
    openKeyRing(path);
    return true;
  } catch {
    return false;
  }
}
