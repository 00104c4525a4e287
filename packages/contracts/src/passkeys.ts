import { z } from 'zod';
import * as fields from './fields.ts';

/** The maximum number of passkeys per user. */
export const passkeysPerUser = 25;

const time = z.iso.datetime();
const transports = z.array(fields.text(20).regex(/^[a-z-]{1,20}$/)).max(10);
/** Bytes as WebAuthn’s JSON holds them. */
const base64url = (maximum: number) =>
  fields
    .text(maximum)
    .min(1)
    .regex(/^[\w-]+$/);

/** A passkey as its owner sees it. */
export const passkey = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    createdAt: time,
    lastUsedAt: time.nullable(),
    /** The panel’s host that it was made for. */
    host: z.string(),
    /** Whether that is still the panel’s host: with another one browsers do not offer the passkey. */
    isUsable: z.boolean(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.infer<typeof passkey>;

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});

/** What a browser needs to make a passkey: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const passkeyCreationOptions = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    /** Those the user has: an authenticator makes no second one. */
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreationOptions' });
export type PasskeyCreationOptions = z.infer<typeof passkeyCreationOptions>;

/** What a browser needs to use a passkey: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const passkeyRequestOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    /** If empty, the browser offers every passkey of the panel. */
    allowCredentials: z.array(descriptor),
  })
  .meta({ id: 'PasskeyRequestOptions' });
export type PasskeyRequestOptions = z.infer<typeof passkeyRequestOptions>;

const credential = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
};

/** A new passkey, as the browser gives it: `RegistrationResponseJSON` of WebAuthn. */
export const passkeyRegistration = fields.extensible(
  z.object({
    ...credential,
    response: fields.extensible(
      z.object({
        clientDataJSON: base64url(4_000),
        attestationObject: base64url(16_000),
        transports: transports.optional(),
      }),
    ),
  }),
);
export type PasskeyRegistration = z.infer<typeof passkeyRegistration>;

/** The proof that somebody has a passkey: `AuthenticationResponseJSON` of WebAuthn. */
export const passkeyAuthentication = fields.extensible(
  z.object({
    ...credential,
    response: fields.extensible(
      z.object({
        clientDataJSON: base64url(4_000),
        authenticatorData: base64url(4_000),
        signature: base64url(4_000),
        userHandle: base64url(200).optional(),
      }),
    ),
  }),
);
export type PasskeyAuthentication = z.infer<typeof passkeyAuthentication>;
