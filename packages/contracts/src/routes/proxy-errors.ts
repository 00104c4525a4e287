/** Suspended users, proxies and servers are for looking at and deleting. */
export const suspendedErrors = ['account_suspended', 'proxy_suspended'] as const;

/** Why there is no token to be read. */
export const tokenErrors = [
  'not_signed_in',
  'not_found',
  ...suspendedErrors,
  'no_tunnel',
  'proxy_pending',
  'provider_unavailable',
] as const;
