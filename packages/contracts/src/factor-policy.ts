import type { SecondFactor } from './second-factors.ts';

/** Who must have a second factor. */
export const factorPolicies = ['optional', 'administrators', 'everyone'] as const;
export type FactorPolicy = (typeof factorPolicies)[number];

/** Whether a session, as its user reads it, has what the policy asks for: there is a factor, and the session has proven it. */
export const hasProvenFactor = ({
  authenticator,
  passkeys,
  isProven,
}: Pick<SecondFactor, 'authenticator' | 'passkeys' | 'isProven'>): boolean =>
  isProven && (authenticator !== null || passkeys > 0);

/** Whether a policy asks a second factor of a user. */
export const asksForFactor = (policy: FactorPolicy, { isAdmin }: { readonly isAdmin: boolean }): boolean =>
  policy === 'everyone' || (policy === 'administrators' && isAdmin);
