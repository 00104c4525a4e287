import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { CliError } from '@talpa/instance/cli';

/** scrypt as OWASP recommends it; about 0.3 s and 128 MiB a try. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 };
const lengths = { salt: 16, nonce: 12, tag: 16 };

const keyFor = (passphrase: string, salt: Buffer) => scryptSync(passphrase.normalize('NFC'), salt, 32, cost);

/** Encrypts files under a passphrase: salt, nonce, tag, AES-256-GCM of their JSON. */
export function sealFiles(files: Readonly<Record<string, string>>, passphrase: string): Buffer {
  const [salt, nonce] = [randomBytes(lengths.salt), randomBytes(lengths.nonce)];
  const cipher = createCipheriv('aes-256-gcm', keyFor(passphrase, salt), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(files)), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed]);
}

/** @throws CliError when the passphrase is wrong or the file was changed */
export function openFiles(sealed: Buffer, passphrase: string): Record<string, string> {
  const ends = { salt: lengths.salt, nonce: lengths.salt + lengths.nonce };
  const tagEnd = ends.nonce + lengths.tag;
  const [salt, nonce] = [sealed.subarray(0, ends.salt), sealed.subarray(ends.salt, ends.nonce)];
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFor(passphrase, salt), nonce).setAuthTag(
      sealed.subarray(ends.nonce, tagEnd),
    );
    return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]).toString());
  } catch {
    throw new CliError('The keys cannot be decrypted: the passphrase is wrong, or the file was changed.');
  }
}
