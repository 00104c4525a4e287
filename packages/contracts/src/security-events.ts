import { z } from 'zod';

const time = z.iso.datetime();

/**
 * What is to know of an event that concerns an account's security, for the email and for the notification. No secret, and
 * no email address.
 */
export const securityEvents = {
  /** `apiKeys`: the names of those that still work; left out where there are none. */
  password_changed: z.object({ changedAt: time, apiKeys: z.string().max(2_000).optional() }),
  email_changed: z.object({ changedAt: time }),
  /** A sign-in with a browser that has never done so. */
  new_device: z.object({ signedInAt: time, device: z.string().max(100), ipAddress: z.string().max(64) }),
  /** A secret for an app was shown; none counts yet. */
  factor_started: z.object({ startedAt: time }),
  factor_added: z.object({ changedAt: time }),
  factor_replaced: z.object({ changedAt: time }),
  factor_removed: z.object({ changedAt: time }),
  /** Removed by an administrator. */
  factor_reset: z.object({ changedAt: time }),
  passkey_added: z.object({ changedAt: time, passkey: z.string().max(60) }),
  passkey_removed: z.object({ changedAt: time, passkey: z.string().max(60) }),
  api_key_created: z.object({ changedAt: time, apiKey: z.string().max(60) }),
  identity_linked: z.object({ changedAt: time, provider: z.string().max(60) }),
  identity_unlinked: z.object({ changedAt: time, provider: z.string().max(60) }),
  recovery_codes_replaced: z.object({ changedAt: time }),
  recovery_code_used: z.object({ usedAt: time, left: z.int().min(0) }),
  /** Somebody knows the password and guesses codes. */
  wrong_codes: z.object({ guessedAt: time }),
} as const;
export type SecurityEvent = keyof typeof securityEvents;
