/** Who must have a second factor. */
export const factorPolicies = ['optional', 'administrators', 'everyone'] as const;
export type FactorPolicy = (typeof factorPolicies)[number];

/** Whether a policy asks a second factor of a user. */
export const asksForFactor = (policy: FactorPolicy, { isAdmin }: { readonly isAdmin: boolean }): boolean =>
  policy === 'everyone' || (policy === 'administrators' && isAdmin);
