import { createECDH, createPrivateKey, createPublicKey, ECDH, type KeyObject } from 'node:crypto';
import { type KeyRing, openKeyRing } from '../key-ring.ts';

const curve = 'prime256v1';
const base64url = (bytes: Buffer) => bytes.toString('base64url');

/** The point of a private scalar of P-256, compressed: 33 bytes. @throws Error for a number that is no scalar */
function pointOf(scalar: Buffer): Buffer {
  const pair = createECDH(curve);
  pair.setPrivateKey(scalar);
  return pair.getPublicKey(null, 'compressed');
}

/** The JSON Web Key of a point (RFC 7518 §6.2). */
function jwkOf(point: Buffer) {
  const whole = ECDH.convertKey(point, curve, undefined, undefined, 'uncompressed') as Buffer;
  const [x, y] = [base64url(whole.subarray(1, 33)), base64url(whole.subarray(33))] as const;
  return { kty: 'EC', crv: 'P-256', x, y };
}

function privateKeyOf(scalar: Buffer): KeyObject {
  const jwk = { ...jwkOf(pointOf(scalar)), d: base64url(scalar) };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}

/** The keys auth alone has: they sign session cookies and assertions (ES256). See `openKeyRing`. */
export const openSigningKeys = (setting: string): KeyRing => openKeyRing(setting, privateKeyOf);

/** The public keys of all processes that verify auth's signatures. See `openKeyRing`. */
export const openVerifyingKeys = (setting: string): KeyRing =>
  openKeyRing(setting, (point) => createPublicKey({ key: jwkOf(point), format: 'jwk' }));

/** The public half of a key, as a ring holds both: base64url. @throws Error for what is no private key */
export const publicHalf = (secret: string): string => base64url(pointOf(Buffer.from(secret, 'base64url')));
