/** `pending`: not applied yet; `inactive`: tunnel without connector; `active`: connected; `error`: see the reason. */
export const proxyStatuses = ['pending', 'inactive', 'active', 'error'] as const;
/** Why a proxy is in `error`, typed so that the panel can say it. */
export const statusReasons = [
  'hostname_in_use',
  'tunnel_refused',
  'tunnel_gone',
  'provider_unavailable',
  'zone_full',
] as const;
export type StatusReason = (typeof statusReasons)[number];
