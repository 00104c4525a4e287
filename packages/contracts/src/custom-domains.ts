import { z } from 'zod';

/** `failed`: its records are missing or wrong. A domain that was verified before is served for a while all the same. */
export const domainStates = ['pending', 'verified', 'failed'] as const;
export type DomainState = (typeof domainStates)[number];

/** Why a domain could not be verified. */
export const domainProblems = [
  'challenge_missing',
  'challenge_wrong',
  'target_missing',
  'target_wrong',
  'dns_unavailable',
  'domain_taken',
] as const;
export type DomainProblem = (typeof domainProblems)[number];

/** How long a domain whose records are missing or wrong is still served. */
export const domainGraceHours = 72;

/** The name of the TXT record that verifies a host. */
export const challengeNameOf = (host: string): string => `_talpa-challenge.${host}`;

const time = z.iso.datetime();

/** A domain that a user has brought for a proxy. */
export const customDomain = z
  .object({
    id: z.int(),
    host: z.string(),
    state: z.enum(domainStates),
    /** Null while it was not checked yet, and when all is right. */
    problem: z.enum(domainProblems).nullable(),
    createdAt: time,
    checkedAt: time.nullable(),
    verifiedAt: time.nullable(),
    /** Until when a failed domain is still served; null when it is not, and when nothing has failed. */
    servedUntil: time.nullable(),
    /** What its owner has to set at their DNS provider. */
    records: z.array(z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() })),
  })
  .meta({ id: 'CustomDomain' });
export type CustomDomain = z.infer<typeof customDomain>;

/** A proxy's domains, and how many its owner may have for all proxies. */
export const customDomains = z.object({
  domains: z.array(customDomain),
  limit: z.int().min(0),
  used: z.int().min(0),
  /** Whether the tunnel provider can serve them: Talpa's own edge can. */
  available: z.boolean(),
});
export type CustomDomains = z.infer<typeof customDomains>;
