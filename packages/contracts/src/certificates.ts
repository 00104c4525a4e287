import { z } from 'zod';
import { certificateProblemNames } from './certificate-problems.ts';
import * as fields from './fields.ts';

/** `failing`: the present one, if there is one, goes on being served. */
export const certificateStates = ['valid', 'pending', 'failing', 'expired'] as const;

/** A certificate that Talpa orders, for administrators. */
export const certificate = z
  .object({
    /** A host name, or a wildcard. */
    name: z.string(),
    state: z.enum(certificateStates),
    /** Null until one was issued. */
    notAfter: z.iso.datetime().nullable(),
    /** When it is ordered next; null while no edge has asked for it. */
    nextAttemptAt: z.iso.datetime().nullable(),
    /** Why the last attempt failed. */
    problem: z.enum(certificateProblemNames).nullable(),
    /** What the authority or the DNS provider said. */
    detail: z.string().nullable(),
    failedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Certificate' });
export type Certificate = z.infer<typeof certificate>;

/** A name as it is ordered: one of DNS, perhaps with a wildcard. */
export const certificateName = fields.text(255).regex(/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)+$/);
