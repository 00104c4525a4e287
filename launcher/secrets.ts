import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What an instance keeps to itself, in files that only its owner can read. */
export interface Secrets {
  /** Key rings, `kid:base64url`. */
  readonly sessionKeys: string;
  readonly tokenKeys: string;
  /** The token the embedded provider's API accepts. */
  readonly providerToken: string;
  /** Names this installation at the provider; not secret, but it must never change. */
  readonly installationId: string;
  /** The password of a role in one of our own stores. */
  storePassword(role: string): string;
}

/** Reads the secrets in a folder, making those that are missing. */
export function readSecrets(folder: string): Secrets {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keep = (name: string, make: () => string): string => {
    const path = join(folder, name);
    if (!existsSync(path)) writeFileSync(path, `${make()}\n`, { mode: 0o600, flag: 'wx' });
    return readFileSync(path, 'utf8').trim();
  };
  const key = () => randomBytes(32).toString('base64url');
  const ring = () => `${randomBytes(4).toString('hex')}:${key()}`;
  const storeSeed = keep('store-seed', key);
  return {
    sessionKeys: keep('session-keys', ring),
    tokenKeys: keep('token-keys', ring),
    providerToken: keep('provider-token', key),
    installationId: keep('installation-id', () => randomBytes(5).toString('hex')),
    storePassword: (role) => createHmac('sha256', storeSeed).update(role).digest('base64url'),
  };
}
