import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type {
  Passkey,
  PasskeyAuthentication,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@talpa/contracts';
import type { CallAs } from './second-factors.ts';

/** How an authenticator differs from an honest one at the right address. */
interface Deviation {
  readonly origin?: string;
  /** RP ID */
  readonly host?: string;
  readonly crossOrigin?: unknown;
  readonly topOrigin?: string;
  /** Whether its user verified themselves to it. */
  readonly isVerified?: boolean;
  /** How often it says that it was used. */
  readonly counter?: number;
  readonly challenge?: string;
  /** Whom it names. */
  readonly userHandle?: string;
}

/** Somebody's authenticator with one passkey, made in software: it signs whatever the test wants. */
export interface SoftAuthenticator {
  /** Makes the passkey. */
  make(
    options: Pick<PasskeyCreationOptions, 'challenge' | 'user'>,
    deviation?: Deviation,
  ): PasskeyRegistration;
  /** Proves that it has it. */
  use(options: Pick<PasskeyRequestOptions, 'challenge'>, deviation?: Deviation): PasskeyAuthentication;
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const flag = { present: 0x01, verified: 0x04, attested: 0x40 };
/** CBOR of up to 65 535 bytes. */
const cborBytes = (bytes: Buffer) =>
  Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff]), bytes]);
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

/** @param publicUrl where the panel is */
export function softAuthenticator(publicUrl: string): SoftAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const [key, otherKey] = [x, y].map((half) =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(half, 'base64url')]),
  );
  // COSE: an EC2 key for ES256 on P-256.
  const cose = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    ...[key ?? Buffer.alloc(0), Buffer.from([0x22]), otherKey ?? Buffer.alloc(0)],
  ]);
  let used = 0;
  let owner: string | undefined;
  const clientData = (type: string, { challenge }: { readonly challenge: string }, deviation: Deviation) =>
    Buffer.from(
      JSON.stringify({
        ...{ type, challenge: deviation.challenge ?? challenge },
        origin: deviation.origin ?? new URL(publicUrl).origin,
        crossOrigin: deviation.crossOrigin ?? false,
        topOrigin: deviation.topOrigin,
      }),
    );
  const authenticatorData = (extra: Buffer, more: number, deviation: Deviation) => {
    used = deviation.counter ?? used + 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(used);
    const flags = flag.present | ((deviation.isVerified ?? true) ? flag.verified : 0) | more;
    const host = deviation.host ?? new URL(publicUrl).hostname;
    return Buffer.concat([sha256(host), Buffer.from([flags]), counter, extra]);
  };
  const named = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
  } as const;
  return {
    make: (options, deviation = {}) => {
      owner = options.user.id;
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const data = authenticatorData(attested, flag.attested, deviation);
      const attestation = Buffer.concat([
        ...[Buffer.from([0xa3]), cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
        ...[cborText('authData'), cborBytes(data)],
      ]);
      return {
        ...named,
        response: {
          clientDataJSON: clientData('webauthn.create', options, deviation).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    use: (options, deviation = {}) => {
      const client = clientData('webauthn.get', options, deviation);
      const data = authenticatorData(Buffer.alloc(0), 0, deviation);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...named,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: deviation.userHandle ?? owner,
        },
      };
    },
  };
}

/** Adds a passkey as people do. @param publicUrl where the panel is */
export async function addPasskey(
  call: CallAs,
  publicUrl: string,
  name = 'Passkey',
): Promise<{ authenticator: SoftAuthenticator; passkey: Passkey }> {
  const authenticator = softAuthenticator(publicUrl);
  const options = await call('POST /api/user/passkeys/challenge', {});
  const passkey = await call('POST /api/user/passkeys', { name, passkey: authenticator.make(options) });
  return { authenticator, passkey };
}
