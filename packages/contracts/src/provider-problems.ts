import { z } from 'zod';

/** What an operator has to fix before the tunnel provider works, typed so that the panel can say it. */
export const providerFaults = [
  'token_malformed',
  'token_refused',
  'account_unknown',
  'zone_unknown',
  'zone_inactive',
  'zone_of_another_account',
  'domain_outside_zone',
  'record_not_proxied',
  'zone_full',
  'tunnels_missing',
] as const;
export type ProviderFault = (typeof providerFaults)[number];

/** A fault at the provider, for administrators. */
export const providerProblem = z
  .object({
    fault: z.enum(providerFaults),
    /** The provider's own words. */
    detail: z.string(),
    since: z.iso.datetime(),
  })
  .meta({ id: 'ProviderProblem' });
export type ProviderProblem = z.infer<typeof providerProblem>;
