import { hkdfSync } from 'node:crypto';
import type { TlsOptions } from 'node:tls';

/** Edges know each other by a shared secret alone: TLS with a pre-shared key proves it in both directions. */
const identity = 'talpa-edge';
const common = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305:ECDHE-PSK-AES256-CBC-SHA384',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const;

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'talpa edge peers', 32));
}

/** What the listening edge demands. */
export function serverTrust(secret: string): TlsOptions {
  const key = keyOf(secret);
  return {
    ...common,
    pskIdentityHint: identity,
    pskCallback: (_socket, name) => (name === identity ? key : null),
  };
}

/** What the dialling edge shows. */
export function clientTrust(secret: string) {
  const psk = keyOf(secret);
  return { ...common, pskCallback: () => ({ psk, identity }), checkServerIdentity: () => undefined };
}
