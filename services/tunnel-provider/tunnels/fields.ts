import { z } from 'zod';

/** A UUID as name could not be distinguished from an id. */
export const tunnelName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((name) => !z.uuid().safeParse(name).success, 'must not be a UUID');

/** At least 32 bytes as base64. */
export const tunnelSecret = z
  .base64()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((secret) => secret.length >= 32, 'must be at least 32 bytes');
