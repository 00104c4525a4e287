import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { KeyRing } from '@talpa/service-kit/key-ring';

const nonceBytes = 12;
const tagBytes = 16;

/** A tunnel's secret as it is stored. */
export interface SealedSecret {
  readonly secret: Buffer;
  readonly keyId: string;
}

/** The password connectors prove themselves with. */
export function newSecret(): Buffer {
  return randomBytes(32);
}

/** What the edge checks a connector's secret with. At least 32 random bytes need no salt and no slow hash. */
export function hashSecret(secret: Buffer): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Encrypts a secret for one tunnel: it cannot be moved to another row. */
export function sealSecret(keys: KeyRing, tunnelId: string, secret: Buffer): SealedSecret {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keys.current.key, nonce).setAAD(Buffer.from(tunnelId));
  const encrypted = Buffer.concat([cipher.update(secret), cipher.final()]);
  return { secret: Buffer.concat([nonce, cipher.getAuthTag(), encrypted]), keyId: keys.current.id };
}

/** @throws Error when the key is no longer known or the row was changed. */
export function openSecret(keys: KeyRing, tunnelId: string, sealed: SealedSecret): Buffer {
  const key = keys.byId(sealed.keyId);
  if (!key) throw new Error(`TOKEN_KEYS lacks the key ${sealed.keyId}`);
  const body = Buffer.from(sealed.secret);
  const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(tunnelId)).setAuthTag(body.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(body.subarray(nonceBytes + tagBytes)), decipher.final()]);
}

/** What a connector is started with: account, tunnel and secret as base64 of JSON. */
export function connectorToken(accountId: string, tunnelId: string, secret: Buffer): string {
  const content = { a: accountId, t: tunnelId, s: secret.toString('base64') };
  return Buffer.from(JSON.stringify(content)).toString('base64');
}
