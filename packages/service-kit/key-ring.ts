import { createSecretKey, type KeyObject } from 'node:crypto';

/** Named keys; the first one signs or encrypts, all of them verify or decrypt. */
export interface KeyRing {
  readonly current: { readonly id: string; readonly key: KeyObject };
  byId(id: string): KeyObject | undefined;
}

/** Reads `kid:base64url[,kid:base64url…]`. KeyObjects: a string secret costs over a millisecond a check. */
export function readKeyRing(text: string): KeyRing {
  const keys = text.split(',').map((part) => {
    const [id = '', secret = ''] = part.split(':');
    return { id, key: createSecretKey(Buffer.from(secret, 'base64url')) };
  });
  const [current] = keys;
  if (!current) throw new Error('a key ring needs a key');
  return { current, byId: (id) => keys.find((key) => key.id === id)?.key };
}
