import { z } from 'zod';

/** So many passkeys a user has at most. */
export const passkeysPerUser = 25;

const time = z.iso.datetime();
const transports = z.array(z.string().regex(/^[a-z-]{1,20}$/)).max(10);
/** Bytes as WebAuthn’s JSON holds them. */
const base64url = (maximum: number) =>
  z
    .string()
    .min(1)
    .max(maximum)
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
export const passkeyCreation = z
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
  .meta({ id: 'PasskeyCreation' });
export type PasskeyCreation = z.infer<typeof passkeyCreation>;

/** What a browser needs to use a passkey: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const passkeyRequest = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    /** Empty: any of the panel’s that the browser knows. */
    allowCredentials: z.array(descriptor),
  })
  .meta({ id: 'PasskeyRequest' });
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

const credential = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
};

/** A new passkey, as the browser gives it: `RegistrationResponseJSON` of WebAuthn. */
export const madePasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(16_000),
    transports: transports.optional(),
  }),
});
export type MadePasskey = z.infer<typeof madePasskey>;

/** The proof that somebody has a passkey: `AuthenticationResponseJSON` of WebAuthn. */
export const usedPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
    userHandle: base64url(200).optional(),
  }),
});
export type UsedPasskey = z.infer<typeof usedPasskey>;
