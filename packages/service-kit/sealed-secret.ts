import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** A secret as it is stored: nonce, tag, ciphertext. */
export interface SealedSecret {
  readonly secret: Buffer;
  readonly keyId: string;
}

/**
 * Encrypts a secret with AES-256-GCM.
 * @param owner the row it belongs to: it cannot be moved to another one
 */
export function seal(keys: KeyRing, owner: string, secret: Buffer): SealedSecret {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keys.current.key, nonce).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(secret), cipher.final()]);
  return { secret: Buffer.concat([nonce, cipher.getAuthTag(), encrypted]), keyId: keys.current.id };
}

/**
 * @param setting what the operator calls the keys
 * @throws Error when the key is no longer known or the row was changed
 */
export function unseal(keys: KeyRing, setting: string, owner: string, sealed: SealedSecret): Buffer {
  const key = keys.byId(sealed.keyId);
  if (!key) throw new Error(`${setting} lacks the key ${sealed.keyId}`);
  const body = Buffer.from(sealed.secret);
  const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(owner)).setAuthTag(body.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(body.subarray(nonceBytes + tagBytes)), decipher.final()]);
}
