import { z } from 'zod';

export const recoveryCodeLength = 16;

const time = z.iso.datetime();

/** Somebody's second factor: what signing in takes beside the password. */
export const secondFactor = z
  .object({
    /** The authenticator app; null: there is none, and the password alone signs in. */
    authenticator: z.object({ addedAt: time, lastUsedAt: time.nullable() }).nullable(),
    /** An app was given a secret, in your own view in this session, and no code has confirmed it yet. */
    isPending: z.boolean(),
    /** A session, in your own view this one, was opened with a second factor, has proven one or set one up. */
    isProven: z.boolean(),
    /** Recovery codes that have not been used. */
    recoveryCodesLeft: z.int().min(0),
    /** Passkeys that can be used at the panel’s present address. */
    passkeys: z.int().min(0),
    /** Whether there is a password: an account that was created through a sign-in provider has none at first. */
    hasPassword: z.boolean(),
  })
  .meta({ id: 'SecondFactor' });
export type SecondFactor = z.infer<typeof secondFactor>;

/** What an authenticator app needs. */
export const newAuthenticator = z
  .object({
    /** Base32, for apps that take it as text. */
    secret: z.string(),
    /** `otpauth://totp/…`, for the QR code. */
    uri: z.string(),
  })
  .meta({ id: 'NewAuthenticator' });

/** Codes that sign in without the app, once each. They are shown to nobody a second time. */
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' });
