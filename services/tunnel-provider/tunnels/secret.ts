import { createHash, randomBytes } from 'node:crypto';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import { type SealedSecret, seal, unseal } from '@talpa/service-kit/sealed-secret';

/** The password connectors prove themselves with. */
export function newSecret(): Buffer {
  return randomBytes(32);
}

/** What the edge checks a connector's secret with. At least 32 random bytes need no salt and no slow hash. */
export function hashSecret(secret: Buffer): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Encrypts a secret for one tunnel: it cannot be moved to another row. */
export const sealSecret = (keys: KeyRing, tunnelId: string, secret: Buffer): SealedSecret =>
  seal(keys, tunnelId, secret);

/** @throws Error when the key is no longer known or the row was changed. */
export const openSecret = (keys: KeyRing, tunnelId: string, sealed: SealedSecret): Buffer =>
  unseal(keys, 'TOKEN_KEYS', tunnelId, sealed);

/** What a connector is started with: account, tunnel and secret as base64 of JSON. */
export function connectorToken(accountId: string, tunnelId: string, secret: Buffer): string {
  const content = { a: accountId, t: tunnelId, s: secret.toString('base64') };
  return Buffer.from(JSON.stringify(content)).toString('base64');
}
